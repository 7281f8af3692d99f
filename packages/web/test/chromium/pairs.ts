/** In a page: both ends of a WebRTC connection, with the fingerprints as each end sees them. */

import { browserRtc, Connection, type Fingerprints } from "@equitopo/web";

export interface End {
  readonly channel: RTCDataChannel;
  readonly fingerprints: Promise<Fingerprints>;
  close(): void;
}

/** The dialler's end and the listener's. */
export function pair(): readonly [End, End] {
  const [near, far] = [browserRtc(), browserRtc()];
  const here: Connection = new Connection({ engine: near.engine, role: "dialler", send: (text) => there.signal(text) });
  const there: Connection = new Connection({ engine: far.engine, role: "listener", send: (text) => here.signal(text) });
  return [
    { channel: near.channel, fingerprints: here.fingerprints, close: () => here.close() },
    { channel: far.channel, fingerprints: there.fingerprints, close: () => there.close() },
  ];
}
