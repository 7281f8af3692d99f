/** Reading graphs from files: a part of the page (graphs.js) that is fetched when somebody brings a graph, and its job. */

import { readGraph } from "equitopo/topology";
import { type GraphJob, jobs } from "./jobs.ts";

// biome-ignore lint/correctness/useYield: a file is read at once
const graph: GraphJob = function* (bytes) {
  return readGraph(bytes);
};

Object.assign(jobs, { graph });
