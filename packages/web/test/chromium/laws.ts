/** The laws of transports over links that somebody makes: in a page, or in a worker that is handed them. */

import { type Fingerprints, introduce, type Link, LinkTransport } from "@equitopo/web";
import { type Opened, transportLaws } from "equitopo/testing";

export interface Way {
  readonly link: Promise<Link>;
  readonly fingerprints: Promise<Fingerprints>;
}

const network = { mode: "rtc", spec: new Uint8Array(32).fill(1), key: new Uint8Array(32).fill(7) } as const;

/** Runs the law of that name; `pairOf` makes both ends of a new link. Throws where the law does not hold. */
export async function runLaw(name: string, pairOf: () => Promise<readonly [Way, Way]>): Promise<void> {
  const law = transportLaws((size, options) => open(size, pairOf, options)).find((one) => one.name === name);
  if (law === undefined) throw new Error(`there is no law named ${name}`);
  await law.run();
}

async function open(size: number, pairOf: () => Promise<readonly [Way, Way]>, options = {}): Promise<Opened> {
  const peers = Array.from({ length: size }, (_, rank) => new LinkTransport({ rank, size, spec: "a", ...options }));
  const join = async (way: Way, role: "dialler" | "listener", rank: number, peer: number): Promise<void> => {
    const [link, fingerprints] = await Promise.all([way.link, way.fingerprints]);
    const known = await introduce(link, { ...network, size, role, rank, peer, fingerprints });
    peers[rank].attach(peer, known.link);
  };
  const pairs = peers.flatMap((_, i) => peers.slice(i + 1).map((_, k) => [i, i + 1 + k]));
  await Promise.all(
    pairs.map(async ([i, j]) => {
      const [near, far] = await pairOf();
      await Promise.all([join(near, "dialler", i, j), join(far, "listener", j, i)]);
    }),
  );
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
}
