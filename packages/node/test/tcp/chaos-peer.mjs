// One peer of the chaos test, a process of its own: told what to do by its parent, to whom it sends rounds and what it came to.
import { classificationFamily } from "@equitopo/nn";
import { problems } from "equitopo";
import { runSpecPeer, specText } from "equitopo/peer";
import { fileStore, folderFiles, TcpTransport } from "../../dist/index.js";

problems.add(classificationFamily);
const { rank, ports, run, timeout, folder } = JSON.parse(process.argv[2]);
const runs = [run];
const transport = await TcpTransport.listen({
  rank,
  size: ports.length,
  addresses: ports.map((port) => ({ host: "127.0.0.1", port })),
  spec: specText({ runs }),
  key: Buffer.from("a secret of the chaos test"),
  timeout,
  log: () => {},
});
let tally;
const summary = await runSpecPeer({
  // The folder holds this peer's own file and the test set, nobody else's.
  ...{ transport, runs, timeout, maxLag: 10, context: { files: folderFiles(folder) } },
  checkpoint: { store: fileStore(`${folder}/checkpoint`), every: 5 },
  onRound: (_, { round }) => process.send({ rank, round }),
  onRecord: (record) => {
    tally = record.tally ?? tally;
  },
});
const { refused, ...counts } = transport.counts;
process.send({ rank, tally, summary, counts }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 200));
  await transport.close();
  process.disconnect();
});
