/** Asynchronous peers over TCP and over threads' shared memory: the simulator does their runs again to the last bit. */

import { largestSent } from "equitopo/peer";
import { asyncPeers, asyncRuns } from "../../equitopo/test/peer/async.ts";
import { createBoard } from "../src/peer/board.ts";
import { ThreadTransport } from "../src/peer/threads.ts";
import { openTcp } from "./open-tcp.ts";

asyncPeers("tcp", openTcp);

asyncPeers("threads", async (size) => {
  const board = createBoard({ size, ...largestSent(asyncRuns) });
  return Array.from({ length: size }, (_, rank) => new ThreadTransport(board, { rank }));
});
