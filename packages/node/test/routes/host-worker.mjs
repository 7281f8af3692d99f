// One peer of the tests with threads and TCP: it listens, is told where the others do, runs every spec and posts its rows.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { runRank } from "../../../equitopo/test/peer/program.mjs";
import { HostTransport } from "../../dist/index.js";

const { rank, size, ranks, board, specs } = workerData;
const listen = { host: "127.0.0.1", port: 0 };
const addresses = Array.from({ length: size }, () => listen);
const transport = await HostTransport.listen({ rank, size, ranks, board, addresses, listen, spec: "a spec" });
parentPort.postMessage(transport.port);
const [ports] = await once(parentPort, "message");
ports.forEach((port, peer) => {
  addresses[peer] = { ...listen, port };
});
const rows = [];
let base = 0;
for (const spec of specs) {
  const first = base;
  const shifted = {
    ...{ name: transport.name, rank, size, counts: transport.counts, reached: -1 },
    prepare: (peers) => transport.prepare(peers),
    exchange: (request) => transport.exchange({ ...request, round: request.round + first }),
  };
  rows.push([...(await runRank(spec, shifted))]);
  base += 8 * spec.rounds + 8;
}
parentPort.postMessage(rows);
await once(parentPort, "message");
await transport.close();
parentPort.close();
