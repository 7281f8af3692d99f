/** Two Node ends of a WebRTC connection in one program. */

import { Connection, type Fingerprints, type Link, type RtcEngine } from "@equitopo/web";
import { nodeRtc } from "../src/engine.ts";

export interface End {
  readonly link: Link;
  /** As this end sees them. */
  readonly fingerprints: Fingerprints;
}

/** The dialler's end and the listener's. */
export async function rtcPair(): Promise<readonly [End, End]> {
  const [near, far] = [await nodeRtc(), await nodeRtc()];
  // Else the listener says the first hello of DTLS, often before the dialler hears it, and says it again after a second.
  const engine: RtcEngine = {
    ...near.engine,
    describe: async (kind) => (await near.engine.describe(kind)).replace("a=setup:actpass", "a=setup:active"),
  };
  const here: Connection = new Connection({ engine, role: "dialler", send: (text) => there.signal(text) });
  const there: Connection = new Connection({ engine: far.engine, role: "listener", send: (text) => here.signal(text) });
  return Promise.all([
    Promise.all([near.link, here.fingerprints]).then(([link, fingerprints]) => ({ link, fingerprints })),
    Promise.all([far.link, there.fingerprints]).then(([link, fingerprints]) => ({ link, fingerprints })),
  ]);
}
