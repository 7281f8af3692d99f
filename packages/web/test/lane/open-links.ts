/** Peers of one program, each pair with a link, for the laws that every transport keeps. */

import { type LinkOptions, LinkTransport } from "../../src/lane/link-transport.ts";
import type { Link } from "../../src/link/link.ts";

export type Pair = readonly [Link, Link];
export type More = Partial<Omit<LinkOptions, "rank" | "size">>;

export interface OpenedLinks {
  readonly peers: LinkTransport[];
  sleep(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** `pairOf(i, j)`, i < j, makes both ends of the link between the two. */
export async function openLinks(
  size: number,
  pairOf: (i: number, j: number) => Pair | Promise<Pair>,
  more: More = {},
): Promise<OpenedLinks> {
  const peers = Array.from({ length: size }, (_, rank) => new LinkTransport({ rank, size, spec: "a", ...more }));
  const pairs = peers.flatMap((_, i) => peers.slice(i + 1).map((_, k) => [i, i + 1 + k]));
  await Promise.all(
    pairs.map(async ([i, j]) => {
      const [here, there] = await pairOf(i, j);
      peers[i].attach(j, here);
      peers[j].attach(i, there);
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
