/** A thread that is one of the peers of a worker with several (worker/together.ts). */

import { parentPort, workerData } from "node:worker_threads";
import { loadInheritedPlugins } from "../plugin.ts";
import type { TogetherData, TogetherEnd } from "../worker/together.ts";
import { work } from "../worker/work.ts";

await loadInheritedPlugins();

const { runs, options, board, ranks } = workerData as TogetherData;
const control = new AbortController();
parentPort?.once("message", () => control.abort(new Error("interrupted")));
const code = await work(runs, { ...options, shared: { board, ranks } }, control.signal);
const told: TogetherEnd = { code };
parentPort?.postMessage(told);
parentPort?.close();
