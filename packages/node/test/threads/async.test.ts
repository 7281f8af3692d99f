/** Asynchronous peers over TCP, over threads' shared memory, and over both: the simulator does their runs again to the last bit. */

import { largestSent } from "equitopo/peer";
import { asyncPeers, asyncRuns } from "../../../equitopo/test/peer/async.ts";
import { createBoard } from "../../src/threads/board.ts";
import { ThreadTransport } from "../../src/threads/thread-lane.ts";
import { openHosts } from "../routes/open-hosts.ts";
import { openTcp } from "../tcp/open-tcp.ts";

asyncPeers("tcp", openTcp);

asyncPeers("threads and tcp", openHosts);

asyncPeers("threads", async (size) => {
  const board = createBoard({ size, ...largestSent(asyncRuns) });
  return Array.from({ length: size }, (_, rank) => new ThreadTransport(board, { rank }));
});
