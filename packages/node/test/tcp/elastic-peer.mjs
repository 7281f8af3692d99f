// One elastic peer, a process of its own: told what to do by its parent, to whom it tells of epochs and, when asked, where it stands.
import { runElasticPeer } from "equitopo/peer";
import { fileStore, historyFile, TcpLane } from "../../dist/index.js";

const { seat, ports, run, timeout, silence, folder, incarnation, pace } = JSON.parse(process.argv[2]);
const addresses = ports.map((port) => ({ host: "127.0.0.1", port }));
const lane = new TcpLane({
  ...{
    rank: seat,
    size: ports.length,
    addresses,
    spec: "elastic",
    timeout,
    incarnation,
    startRounds: 0,
    answerGrace: 1000,
  },
  key: Buffer.from("a secret of the elastic test"),
  log: () => {},
});
await lane.listen();
const leave = new AbortController();
let [x, updates, missing, last, pause] = [[], 0, 0, performance.now(), 0];
process.on("message", (message) => {
  if (message === "leave") leave.abort();
  else if (message === "report") {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send({ seat, report: { x: [...x], updates, missing, pause, memory: heapUsed + external } });
    pause = 0;
  }
});
// Nobody would end this process where the parent is gone.
process.once("disconnect", () => process.exit(1));
// A store that takes its time after every iteration: with `pace` milliseconds each, a long run writes a short history.
const models = folder && fileStore(`${folder}/models-${seat}`);
let saves = 0;
const paced = models && {
  ...models,
  save: async (bytes) => {
    await new Promise((resolve) => setTimeout(resolve, pace));
    if (++saves % 50 === 0) await models.save(bytes);
  },
};
const summary = await runElasticPeer({
  ...{ lane, seat, seats: ports.length, run, incarnation, timeout, leave: leave.signal, patience: { silence } },
  ...(folder === undefined
    ? {}
    : {
        memory: fileStore(`${folder}/votes-${seat}`),
        checkpoint: pace === undefined ? { store: models, every: 50 } : { store: paced, every: 1 },
        ...(pace === undefined ? {} : { historian: historyFile(`${folder}/history-${seat}.ndjson`, seat).write }),
      }),
  onEpoch: (epoch, begun) => process.send({ seat, epoch, begun, time: Date.now() }),
  onRound: (report) => {
    const now = performance.now();
    pause = Math.max(pause, now - last);
    last = now;
    updates = report.round + 1;
    missing += report.missing.length;
  },
  onRecord: (record) => {
    x = record.x.slice();
  },
});
process.send({ seat, summary: { ...summary, counts: undefined } }, async () => {
  await lane.close();
  process.exit(0);
});
