/** One peer of bench/chaos-schedule, a process of its own: it averages and learns over TCP, with a checkpoint and a history. */

import { fileStore, historyFile, TcpTransport } from "@equitopo/node";
import type { RunSpec } from "equitopo";
import { runSpecPeer, specText } from "equitopo/peer";

export interface ChaosJob {
  readonly rank: number;
  readonly run: RunSpec;
  readonly timeout: number;
  /** Where this peer listens, and where it dials each of the others. */
  readonly listen: number;
  readonly dials: readonly number[];
  readonly folder: string;
}

const { rank, run, timeout, listen, dials, folder } = JSON.parse(process.argv[2]) as ChaosJob;
const runs = [run];
const local = (port: number) => ({ host: "127.0.0.1", port });
const transport = await TcpTransport.listen({
  ...{ rank, size: dials.length, addresses: dials.map(local), listen: local(listen), timeout },
  ...{ spec: specText({ runs }), key: Buffer.from("a key of the chaos bench"), log: () => {} },
});
const history = historyFile(`${folder}/peer-%r.ndjson`, rank);
const summary = await runSpecPeer({
  ...{ transport, runs, timeout, history: history.write },
  checkpoint: { store: fileStore(`${folder}/peer-${rank}.ckpt`), every: 10 },
});
process.send?.(summary, async () => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  await transport.close();
  history.close();
  process.disconnect();
});
