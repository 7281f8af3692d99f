// One peer of the chaos test, a process of its own: told what to do by its parent, to whom it sends rounds and its row.
import { loss, runSpecPeer, specText, TcpTransport } from "../dist/peer/index.js";
import { chaosRun, softmaxProblem } from "./chaos-problem.mjs";

const { rank, ports, rounds, timeout, drop, checkpoint } = JSON.parse(process.argv[2]);
const runs = [chaosRun(rounds)];
const size = ports.length;
const losing = loss(drop, 7, rank);
const problem = softmaxProblem(size);
const transport = await TcpTransport.listen({
  rank,
  size,
  addresses: ports.map((port) => ({ host: "127.0.0.1", port })),
  spec: specText({ runs }),
  key: Buffer.from("a secret of the chaos test"),
  timeout,
  log: () => {},
  // Meetings, before and after the run, are left alone.
  drop: (peer, { round, kind }) =>
    round >= 5 && round < 2 * rounds + 5 && losing(peer, round, kind === "vector" ? 0 : 1),
});
let row;
const summary = await runSpecPeer({
  ...{ transport, runs, timeout, problemOf: () => problem, maxLag: 10 },
  checkpoint: { path: checkpoint, every: 5 },
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
