// One rank of the bitwise test: every spec over MPI; each tells its rows over a socket.
import { once } from "node:events";
import net from "node:net";
import { runRank } from "../../equitopo/test/peer/program.mjs";
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start();
const hosts = await transport.hosts();
const specs = JSON.parse(process.env["EQUITOPO_TEST_PLAN"]);
// The rounds of one spec come after those of the one before, on the one network that there is.
let base = 0;
const rows = [];
for (const spec of specs) {
  const first = base;
  const shifted = {
    ...{ name: transport.name, rank: transport.rank, size: transport.size, counts: transport.counts, reached: -1 },
    exchange: (request) => transport.exchange({ ...request, round: request.round + first }),
  };
  rows.push([...(await runRank(spec, shifted))]);
  // Two exchanges in an iteration, and four numbers for each where peers stand in groups.
  base += 8 * spec.rounds + 8;
}
const socket = net.connect(Number(process.env["EQUITOPO_TEST_PORT"]), "127.0.0.1");
socket.end(`${JSON.stringify({ rank: transport.rank, rows, hosts })}\n`);
await once(socket, "close");
await transport.close();
await transport.finished;
