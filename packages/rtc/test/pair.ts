/** Two Node ends of a WebRTC connection in one program, introduced to each other. */

import { Connection, type Introduced, introduce, type RtcEngine } from "@equitopo/web";
import { nodeRtc } from "../src/engine.ts";

const key = new Uint8Array(32).fill(7);
const spec = new Uint8Array(32).fill(1);

export async function rtcPair(size: number, i: number, j: number): Promise<readonly [Introduced, Introduced]> {
  const [near, far] = [await nodeRtc(), await nodeRtc()];
  // Else the listener says the first hello of DTLS, often before the dialler hears it, and says it again after a second.
  const engine: RtcEngine = {
    ...near.engine,
    describe: async (kind) => (await near.engine.describe(kind)).replace("a=setup:actpass", "a=setup:active"),
  };
  const here: Connection = new Connection({ engine, role: "dialler", send: (text) => there.signal(text) });
  const there: Connection = new Connection({ engine: far.engine, role: "listener", send: (text) => here.signal(text) });
  const [fingerprints, seen] = await Promise.all([here.fingerprints, there.fingerprints]);
  const same = { mode: "rtc", size, spec, key } as const;
  const [a, b] = await Promise.all([near.link, far.link]);
  return Promise.all([
    introduce(a, { ...same, role: "dialler", rank: i, peer: j, fingerprints }),
    introduce(b, { ...same, role: "listener", rank: j, peer: i, fingerprints: seen }),
  ]);
}
