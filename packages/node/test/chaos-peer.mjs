// One peer of the chaos test, a process of its own: told what to do by its parent, to whom it sends rounds and its row.
import { runSpecPeer, specText } from "../../equitopo/dist/peer/index.js";
import { fileStore, TcpTransport } from "../dist/index.js";
import { chaosRun, softmaxProblem } from "./chaos-problem.mjs";

const { rank, ports, rounds, timeout, drop, checkpoint } = JSON.parse(process.argv[2]);
const runs = [{ ...chaosRun(rounds), faults: { drop } }];
const size = ports.length;
const problem = softmaxProblem(size);
const transport = await TcpTransport.listen({
  rank,
  size,
  addresses: ports.map((port) => ({ host: "127.0.0.1", port })),
  spec: specText({ runs }),
  key: Buffer.from("a secret of the chaos test"),
  timeout,
  log: () => {},
});
let row;
const summary = await runSpecPeer({
  ...{ transport, runs, timeout, problemOf: () => problem, maxLag: 10 },
  checkpoint: { store: fileStore(checkpoint), every: 5 },
  onRound: (_, { round }) => process.send({ rank, round }),
  onRecord: ({ x }) => {
    row = Buffer.from(x.slice().buffer).toString("base64");
  },
});
const { refused, ...counts } = transport.counts;
process.send({ rank, row, summary, counts }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 200));
  await transport.close();
  process.disconnect();
});
