// One peer of the test of deaths, a process of its own: OU-EquiDyn rounds with a pause in each, as long as its parent likes.
import { ouEquiDyn } from "equitopo";
import { Mixing } from "equitopo/internal/peer";
import { TcpTransport } from "../../dist/index.js";

process.once("disconnect", () => process.exit());
const { rank, ports, pause } = JSON.parse(process.argv[2]);
const n = ports.length;
const transport = await TcpTransport.listen({
  ...{ rank, size: n, addresses: ports.map((port) => ({ host: "127.0.0.1", port })), spec: "death" },
  ...{ key: Buffer.from("a secret of the test of deaths"), log: () => {} },
});
const topology = ouEquiDyn({ n, seed: 1 });
// The timeout is the default one.
const mixing = new Mixing({ transport, topology, timeout: 10_000 });
let row = Float64Array.of(rank);
for (let t = 0; ; t++) {
  [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }));
  process.send(t);
  await new Promise((resolve) => setTimeout(resolve, pause));
}
