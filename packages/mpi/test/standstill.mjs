// One rank of four on a ring pauses for a while in the middle of the run: no rank may be given a vector of another round,
// and the rank that fell behind must learn which round the others are in, and go on from there.
import { once } from "node:events";
import net from "node:net";
import { MpiTransport } from "../dist/index.js";

const { rounds, length, still, milliseconds, timeout, maxLag } = JSON.parse(process.env["EQUITOPO_TEST_PLAN"]);
const transport = await MpiTransport.start({ timeout, spec: "standstill" });
const { rank, size } = transport;
const seen = { rank, wrong: 0, right: 0, done: 0, skipped: 0, afterSkip: 0 };
let t = 0;
let stood = false;
while (t < rounds) {
  const near = [(rank + 1) % size, (rank + size - 1) % size];
  const data = new Float64Array(length).fill(t);
  const outcome = await transport.exchange({
    round: t,
    send: near.map((peer) => ({ peer, data })),
    receive: near.map((peer) => ({ peer, length, type: "float64" })),
    mutual: true,
  });
  for (const vector of outcome.arrived) {
    if (vector === undefined) continue;
    if (vector.every((value) => value === t)) seen.right++;
    else seen.wrong++;
    if (seen.skipped > 0) seen.afterSkip++;
  }
  outcome.release();
  seen.done++;
  if (rank === 2 && t >= still && !stood) {
    stood = true;
    // Nothing of this program runs: as if it were stopped, or computed for so long.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  }
  t++;
  if (transport.reached - t <= maxLag) continue;
  const next = Math.min(rounds, transport.reached);
  seen.skipped += next - t;
  t = next;
}
const socket = net.connect(Number(process.env["EQUITOPO_TEST_PORT"]), "127.0.0.1");
socket.end(`${JSON.stringify(seen)}\n`);
await once(socket, "close");
await transport.close();
await transport.finished;
