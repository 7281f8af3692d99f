/** A worker thread of `equitopo design`: chunks of one search in, what each found out. */

import { parentPort, workerData } from "node:worker_threads";
import { OnePeerSearch, Search } from "equitopo/internal/design";
import type { DesignWork, SearchChunk } from "../command/design/search.ts";

const port = parentPort as NonNullable<typeof parentPort>;
const { asked, seed, stop } = workerData as DesignWork;
const search = "period" in asked ? new OnePeerSearch(asked) : new Search(asked);

port.on("message", ({ c, evaluations }: SearchChunk) => {
  port.postMessage(search.chunk(seed, c, evaluations, () => Atomics.load(stop, 0) !== 0));
});
