// One MPI rank that does what the test program tells it over a local socket: one JSON object a line, both ways.
import net from "node:net";
import { createInterface } from "node:readline";
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start(JSON.parse(process.env["EQUITOPO_TEST_OPTIONS"] ?? "{}"));
const socket = net.connect(Number(process.env["EQUITOPO_TEST_PORT"]), "127.0.0.1");
const answer = (message) => socket.write(`${JSON.stringify({ ...message, counts: counts() })}\n`);
const counts = () => ({ ...transport.counts, refused: [...transport.counts.refused] });
const make = ({ type, values }) => (type === "float32" ? Float32Array.from(values) : Float64Array.from(values));
const outcomes = new Map();
const controls = new Map();

async function exchange({ id, request, signal }) {
  const control = new AbortController();
  if (signal) controls.set(id, control);
  if (signal === "aborted") control.abort(new Error("no"));
  try {
    const outcome = await transport.exchange({
      ...request,
      send: request.send.map(({ peer, data }) => ({ peer, data: make(data) })),
      ...(signal ? { signal: control.signal } : {}),
    });
    outcomes.set(id, outcome);
    answer({ id, arrived: outcome.arrived.map((v) => (v === undefined ? null : [...v])) });
  } catch (error) {
    answer({ id, error: error.message });
  }
}

answer({ rank: transport.rank, size: transport.size });
createInterface({ input: socket }).on("line", async (line) => {
  const message = JSON.parse(line);
  if (message.do === "exchange") await exchange(message);
  else if (message.do === "release") outcomes.get(message.id)?.release();
  else if (message.do === "abort") controls.get(message.id)?.abort(new Error(message.reason));
  else if (message.do === "close") {
    await transport.close();
    answer({ id: message.id });
  } else if (message.do === "leave") {
    await transport.close();
    socket.end();
  }
});
