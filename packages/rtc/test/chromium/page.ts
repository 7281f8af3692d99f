/** The page of chromium.test.ts: peer 0 of 2, linked with a Node peer by WebRTC. The test carries the signals. */

import { browserRtc, Connection, introduce, LinkTransport, openChannel } from "@equitopo/web/internal";

declare function toNode(signal: string): void;

const transport = new LinkTransport({ rank: 0, size: 2, spec: "a" });
const { engine, channel } = browserRtc();
const opened = openChannel(channel, 30_000);
let connection: Connection;

Object.assign(globalThis, {
  fromNode: (signal: string) => connection.signal(signal),
  /** Dials, or is dialled; then a vector of so many numbers each way: what came, summed up. */
  async meet(role: "dialler" | "listener", length: number): Promise<number> {
    connection = new Connection({ engine, role, send: (signal) => toNode(signal) });
    const same = { mode: "rtc", size: 2, spec: new Uint8Array(32), key: new Uint8Array(32).fill(7) } as const;
    const [link, fingerprints] = await Promise.all([opened, connection.fingerprints]);
    transport.attach(1, (await introduce(link, { ...same, role, rank: 0, peer: 1, fingerprints })).link);
    const outcome = await transport.exchange({
      ...{ round: 0, send: [{ peer: 1, data: new Float32Array(length).fill(2) }], mutual: true, timeout: 30_000 },
      receive: [{ peer: 1, length, type: "float32" }],
    });
    let sum = 0;
    for (const value of outcome.arrived[0] ?? []) sum += value;
    return sum;
  },
});
