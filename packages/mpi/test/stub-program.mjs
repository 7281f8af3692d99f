// Rank 0 on the stub: exchanges with the living and the dead, shrinks where it can, and says what it saw.
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start({ library: process.argv[2], timeout: 300 });
const seen = { library: transport.library, before: [transport.rank, transport.size] };
const exchange = async (round, peers) => {
  const outcome = await transport.exchange({
    round,
    send: peers.map((peer) => ({ peer, data: Float32Array.of(round, peer) })),
    receive: peers.map((peer) => ({ peer, length: 2, type: "float32" })),
  });
  const values = outcome.arrived.map((v) => (v === undefined ? null : [...v]));
  outcome.release();
  return values;
};
seen.first = await exchange(0, [1, 2]);
seen.lost = transport.lost;
try {
  await transport.shrink();
  seen.after = [transport.rank, transport.size, transport.lost];
  seen.second = await exchange(1, [1]);
} catch (error) {
  seen.error = error.message;
}
seen.refused = [...transport.counts.refused];
process.stdout.write(JSON.stringify(seen));
await transport.close();
await transport.finished;
