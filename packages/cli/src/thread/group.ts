/** A thread that is one of the peers of a worker with several (command/worker/group.ts). */

import { parentPort, workerData } from "node:worker_threads";
import type { TogetherData, TogetherEnd } from "../command/worker/group.ts";
import { work } from "../command/worker/work.ts";
import { loadInheritedPlugins } from "../plugin.ts";

await loadInheritedPlugins();

const { runs, options, board, ranks } = workerData as TogetherData;
const control = new AbortController();
parentPort?.once("message", () => control.abort(new Error("interrupted")));
const code = await work(runs, { ...options, shared: { board, ranks } }, control.signal);
const end: TogetherEnd = { code };
parentPort?.postMessage(end);
parentPort?.close();
