/** A worker thread that is one peer. */

import { parentPort, workerData } from "node:worker_threads";
import { checkpointPath, fileStore, historyFile, reportingPeer, ThreadTransport } from "@equitopo/node/internal";
import type { ThreadData } from "../peers/launch-threads.ts";
import { loadInheritedPlugins } from "../plugin.ts";
import { contextOf } from "../run/context.ts";

await loadInheritedPlugins();

const { board, rank, data, checkpoint: path, history: pattern, ...options } = workerData as ThreadData;
const transport = new ThreadTransport(board, { rank, timeout: options.timeout });
const context = contextOf({ data });
const checkpoint = path === undefined ? undefined : { store: fileStore(checkpointPath(path, rank)) };
const history = pattern === undefined ? undefined : historyFile(pattern, rank);
const kept = { ...options, transport, context, checkpoint, history: history?.write };
await reportingPeer(kept, (event) => parentPort?.postMessage(event));
await transport.close();
history?.close();
