// Rank 0 on the stub: what it is sent is what it sends, whatever it had expected and offered memory for.
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start({ library: process.argv[2], timeout: 200 });
let round = 0;
/** Sends a vector, expects one of that kind, and says what came: the length and the ends of it. */
const exchange = async (data, length, type = "float32") => {
  const send = data === undefined ? [] : [{ peer: 1, data }];
  const outcome = await transport.exchange({ round: round++, send, receive: [{ peer: 1, length, type }] });
  const [came] = outcome.arrived;
  const seen = came === undefined ? null : [came.length, came[0], came.at(-1)];
  outcome.release();
  return seen;
};
const row = (length, value) => new Float32Array(length).fill(value);
const seen = {
  asExpected: [await exchange(row(2000, 1), 2000), await exchange(row(2000, 2), 2000)],
  // Longer was expected, then another type: refused, and the next is not harmed.
  shorter: [await exchange(row(1500, 3), 2000), await exchange(row(2000, 4), 2000)],
  another: [await exchange(row(2000, 5), 1000, "float64"), await exchange(row(2000, 6), 2000)],
  small: [await exchange(row(10, 7), 2000), await exchange(row(2000, 8), 2000)],
  // Nothing comes: what was offered is there for the next, and too short for the one after that.
  nothing: [await exchange(undefined, 2000), await exchange(row(2000, 9), 2000)],
  longer: [await exchange(undefined, 2000), await exchange(row(3000, 10), 3000), await exchange(row(3000, 11), 3000)],
};
seen.refused = [...transport.counts.refused];
process.stdout.write(JSON.stringify(seen));
await transport.close();
await transport.finished;
