/** Asynchronous peers over TCP, over threads' shared memory, and over both: the simulator does their runs again to the last bit. */

import { largestSent } from "equitopo/peer";
import { asyncPeers, asyncRuns } from "../../equitopo/test/peer/async.ts";
import { createBoard } from "../src/peer/board.ts";
import { ThreadTransport } from "../src/peer/threads.ts";
import { openHosts } from "./open-hosts.ts";
import { openTcp } from "./open-tcp.ts";

asyncPeers("tcp", openTcp);

asyncPeers("threads and tcp", openHosts);

asyncPeers("threads", async (size) => {
  const board = createBoard({ size, ...largestSent(asyncRuns) });
  return Array.from({ length: size }, (_, rank) => new ThreadTransport(board, { rank }));
});
