/** One peer of bench/tls-start: it meets the others over TLS, does a few rounds of OD-EquiDyn, and says when. */

import { TcpTransport, type TlsFiles } from "@equitopo/node";
import { odEquiDyn, type Rows } from "equitopo";
import { gather, gatherSteps, Mixing } from "equitopo/internal/peer";

export interface Place {
  readonly rank: number;
  readonly n: number;
  readonly rounds: number;
  readonly tls: Omit<TlsFiles, "nameOf">;
}

/** What a peer reports: where it listens, or the seconds since all had the addresses of the others. */
export type PeerReport =
  | { readonly port: number }
  | { readonly met: number; readonly first: number; readonly last: number; readonly reconnects: number };

// Without its parent it has nothing to do.
process.once("disconnect", () => process.exit());

const message = <T>() => new Promise<T>((resolve) => process.once("message", (received) => resolve(received as T)));

const { rank, n, rounds, tls } = await message<Place>();
const listen = { host: "127.0.0.1", port: 0 };
const addresses = Array.from({ length: n }, () => listen);
const nameOf = (peer: number) => `peer-${peer}`;
const transport = await TcpTransport.listen({
  ...{ rank, size: n, addresses, listen, spec: "bench", log: () => {} },
  ...{ tls: { ...tls, nameOf }, startGrace: 300_000, timeout: 300_000 },
});
const known = message<number[]>();
process.send?.({ port: transport.port } satisfies PeerReport);
(await known).forEach((port, peer) => {
  addresses[peer] = { host: "127.0.0.1", port };
});
const begun = performance.now();
const since = () => (performance.now() - begun) / 1000;
await gather(transport, { first: 0, timeout: 300_000, over: () => false });
const met = since();
const topology = odEquiDyn({ n, seed: 1 });
const mixing = new Mixing({ transport, topology, timeout: 300_000 });
const steps = gatherSteps(n);
const ahead = new Set<number>();
for (let t = 0; t < 256; t++) for (const { node } of topology.peers(t, rank).from) ahead.add(node);
transport.prepare([...ahead]);
let row: Rows = Float64Array.of(rank);
let first = 0;
for (let t = 0; t < rounds; t++) {
  [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }, steps + t));
  if (t === 0) first = since();
}
const last = since();
await gather(transport, { first: steps + rounds, timeout: 300_000 });
const { reconnects } = transport.counts;
process.send?.({ met, first, last, reconnects } satisfies PeerReport);
