/** The worker that reads graphs from files: a file of its own beside the page, fetched when somebody brings a graph. */

import type { GraphData } from "equitopo/topology";
import { readGraph } from "equitopo/topology";
import { startWorker } from "./worker.ts";

// biome-ignore lint/correctness/useYield: a file is read at once
function* graph(bytes: Uint8Array): Generator<undefined, GraphData> {
  return readGraph(bytes);
}

startWorker({ graph });
