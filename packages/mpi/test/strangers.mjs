// One rank of four that do not all run the same: who is met, and who is refused, each with every other one.
import { once } from "node:events";
import net from "node:net";
import { MpiTransport } from "../dist/index.js";

const { timeout, rounds } = JSON.parse(process.env["EQUITOPO_TEST_PLAN"]);
const known = Number(process.env["OMPI_COMM_WORLD_RANK"] ?? process.env["PMI_RANK"]);
const transport = await MpiTransport.start({
  timeout,
  spec: known === 2 ? "another" : "one",
  run: known === 3 ? "yesterday" : "today",
  log: () => {},
});
const { rank, size } = transport;
const others = Array.from({ length: size }, (_, peer) => peer).filter((peer) => peer !== rank);
const met = new Set();
const begun = performance.now();
for (let round = 0; round < rounds; round++) {
  const outcome = await transport.exchange({
    round,
    send: others.map((peer) => ({ peer, data: Float64Array.of(rank) })),
    receive: others.map((peer) => ({ peer, length: 1, type: "float64" })),
    mutual: true,
  });
  for (const peer of others.filter((_, k) => outcome.arrived[k] !== undefined)) met.add(peer);
  outcome.release();
}
const seconds = (performance.now() - begun) / 1000;
const socket = net.connect(Number(process.env["EQUITOPO_TEST_PORT"]), "127.0.0.1");
socket.end(`${JSON.stringify({ rank, met: [...met], refused: [...transport.counts.refused], seconds })}\n`);
await once(socket, "close");
await transport.close();
await transport.finished;
