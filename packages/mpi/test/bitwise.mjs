// One rank of the bitwise test: every spec over MPI; rank 0 prints what all ranks hold.
import { runRank } from "../../equitopo/test/peer-program.mjs";
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start();
const specs = JSON.parse(process.env["EQUITOPO_TEST_SPECS"]);
// The rounds of one spec come after those of the one before, on the one network that there is.
let base = 0;
const rows = [];
for (const spec of specs) {
  const first = base;
  const shifted = Object.create(transport, {
    rank: { value: transport.rank },
    size: { value: transport.size },
    counts: { value: transport.counts },
    reached: { value: -1 },
    exchange: { value: (request) => transport.exchange({ ...request, round: request.round + first }) },
  });
  rows.push([...(await runRank(spec, shifted))]);
  base += 2 * spec.rounds + 2;
}
// Gathered in the numbers' own bits: one line a rank, and the test puts them in order.
process.stdout.write(`${JSON.stringify({ rank: transport.rank, rows })}\n`);
await transport.close();
await transport.finished;
