/**
 * Finite-time graphs: rounds of cliques and stars that end with the exact mean after `length` rounds, and start
 * again. In all of them (hyper-hypercube, Simple Base, Base) a node gives one and the same weight to each of its
 * partners, so that a node's part of a round is two weights and a list.
 *
 * Symmetric, doubly stochastic, periodic. Only an aligned period is exact in general: who starts in round r of it waits
 * up to 2 length - 1 rounds.
 */

import type { Rate } from "../rate/rate.ts";
import { exactWork } from "../rate/search-work.ts";
import type { RateWork } from "../rate/work.ts";
import type { Round } from "../round/round.ts";
import { guarded, type Link, type Topology, type TopologySpec } from "./topology.ts";

/** What a node does in one round. */
export interface Part {
  readonly self: number;
  /** What it gives to each of its partners, and each of them to it. */
  readonly weight: number;
  /** Ascending, without the node. */
  readonly partners: readonly number[];
}

export interface FiniteTime {
  /** Rounds to the exact mean. */
  readonly length: number;
  /** The most partners of a node in a round. */
  readonly degree: number;
  /** Node i's part of round t, 0 <= t < length, of the labels from `origin` on (0 where left out). */
  part(t: number, i: number, origin?: number): Part;
}

/** Nobody to talk to in this round. */
export const alone: Part = { self: 1, weight: 0, partners: [] };

/** The part of the node at origin + offset in a clique of `size` nodes that lie `stride` apart, its digit being its place. */
export function clique(origin: number, offset: number, stride: number, size: number): Part {
  if (size === 1) return alone;
  const digit = Math.floor(offset / stride) % size;
  const first = origin + offset - digit * stride;
  const partners: number[] = [];
  for (let place = 0; place < size; place++) if (place !== digit) partners.push(first + place * stride);
  return { self: 1 / size, weight: 1 / size, partners };
}

/** Periods of so many node-rounds in all are kept once they are worked out. */
const KEPT = 2 ** 18;

/** The topology that repeats these rounds; `norm` where there is a closed form of it within a period. */
export function finiteTimeTopology(spec: TopologySpec, rounds: FiniteTime, norm?: (m: number) => number): Topology {
  const { n } = spec;
  const { length, degree } = rounds;
  const kept: Round[] = [];
  // Some round leaves the network in parts, unless it is the only one.
  const rate: Rate = {
    rate: length === 1 ? 0 : 1,
    bound: null,
    method: "closed form",
    periodNorm: 0,
    periodRate: 0,
  };
  const whole = (t: number) => wholeRound(n, (i) => rounds.part(t, i));
  return guarded({
    name: spec.name,
    n,
    kind: "periodic",
    directed: false,
    symmetric: true,
    maxDegree: degree,
    period: length,
    exactAfter: length,
    spec,
    round(t) {
      const place = t % length;
      if (n * length > KEPT) return whole(place);
      kept[place] ??= whole(place);
      return kept[place];
    },
    peers(t, i) {
      const part = rounds.part(t % length, i);
      const links = inOrder(part, i);
      return { self: part.self, from: links, to: links };
    },
    ...(norm === undefined ? {} : { norm }),
    rate: () => rate,
  });
}

/** The partners as links, by ascending (i - j) mod n: falling from i, then falling from n - 1. */
function inOrder({ partners, weight }: Part, i: number): Link[] {
  const links: Link[] = [];
  let below = partners.length;
  while (below > 0 && partners[below - 1] > i) below--;
  for (let e = below - 1; e >= 0; e--) links.push({ node: partners[e], weight });
  for (let e = partners.length - 1; e >= below; e--) links.push({ node: partners[e], weight });
  return links;
}

/** All parts as one round: a matching where all pairs exchange with the same weight, a sparse list otherwise. */
function wholeRound(n: number, part: (i: number) => Part): Round {
  const partner = new Int32Array(n);
  let weight = 0;
  for (let i = 0; i < n; i++) {
    const { partners, weight: given } = part(i);
    if (partners.length > 1 || (partners.length === 1 && weight !== 0 && given !== weight)) return sparse(n, part);
    partner[i] = partners.length === 0 ? i : partners[0];
    if (partners.length === 1) weight = given;
  }
  return { kind: "matching", n, weight, partner };
}

function sparse(n: number, part: (i: number) => Part): Round {
  const self = new Float64Array(n);
  const start = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) start[i + 1] = start[i] + part(i).partners.length;
  const from = new Int32Array(start[n]);
  const weights = new Float64Array(start[n]);
  for (let i = 0, e = 0; i < n; i++) {
    const own = part(i);
    self[i] = own.self;
    for (const { node, weight } of inOrder(own, i)) {
      from[e] = node;
      weights[e++] = weight;
    }
  }
  return { kind: "sparse", n, self, start, from, weights };
}

/** What the rate of such a topology takes (topology/work.ts): no round of it is made yet. */
export function finiteTimeWork({ n, norm, exactAfter: rounds = 1, maxDegree }: Topology): RateWork {
  return exactWork({ n, rounds, additions: 1 + maxDegree, steps: norm === undefined ? 2.5 : 0 });
}
