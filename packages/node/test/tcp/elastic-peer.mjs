// One elastic peer, a process of its own: told what to do by its parent, to whom it tells of epochs and, when asked, where it stands.
import { runElasticPeer } from "equitopo/peer";
import { fileStore, TcpLane } from "../../dist/index.js";

const { seat, ports, run, timeout, silence, folder, incarnation } = JSON.parse(process.argv[2]);
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
    process.send({ seat, report: { x: [...x], updates, missing, pause } });
    pause = 0;
  }
});
// Nobody would end this process where the parent is gone.
process.once("disconnect", () => process.exit(1));
const summary = await runElasticPeer({
  ...{ lane, seat, seats: ports.length, run, incarnation, timeout, leave: leave.signal, patience: { silence } },
  ...(folder === undefined
    ? {}
    : {
        memory: fileStore(`${folder}/votes-${seat}`),
        checkpoint: { store: fileStore(`${folder}/models-${seat}`), every: 50 },
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
