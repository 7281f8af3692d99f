/** Two Node ends of a WebRTC connection in one program, introduced to each other. */

import { Connection, type Introduced, introduce } from "@equitopo/web";
import { nodeRtc } from "../src/engine.ts";

const key = new Uint8Array(32).fill(7);
const spec = new Uint8Array(32).fill(1);

export async function rtcPair(size: number, i: number, j: number): Promise<readonly [Introduced, Introduced]> {
  const [near, far] = [await nodeRtc(), await nodeRtc()];
  const here: Connection = new Connection({ engine: near.engine, role: "dialler", send: (text) => there.signal(text) });
  const there: Connection = new Connection({ engine: far.engine, role: "listener", send: (text) => here.signal(text) });
  const [fingerprints, seen] = await Promise.all([here.fingerprints, there.fingerprints]);
  const same = { mode: "rtc", size, spec, key } as const;
  const [a, b] = await Promise.all([near.link, far.link]);
  return Promise.all([
    introduce(a, { ...same, role: "dialler", rank: i, peer: j, fingerprints }),
    introduce(b, { ...same, role: "listener", rank: j, peer: i, fingerprints: seen }),
  ]);
}
