/** The runs of specs over TCP and threads: the simulator's bits, compressed and with losses on purpose. */

import { equalTheSimulator } from "../../../equitopo/test/peer/runs.ts";
import { createBoard } from "../../src/threads/board.ts";
import { ThreadTransport } from "../../src/threads/thread-lane.ts";
import { openTcp } from "../tcp/open-tcp.ts";

equalTheSimulator("tcp", openTcp);

equalTheSimulator("threads", async (size) => {
  // What is said at a meeting takes more room than the rows of these runs.
  const board = createBoard({ size, bytes: 1024 });
  return Array.from({ length: size }, (_, rank) => new ThreadTransport(board, { rank }));
});
