/**
 * Finite-time graphs: rounds of cliques and stars that end with the exact mean after `length` rounds, and start
 * again. In all of them (hyper-hypercube, Simple Base, Base) a node gives one and the same weight to each of its
 * partners, so that a node's part of a round is two weights and a list.
 *
 * Symmetric, doubly stochastic, periodic. Only an aligned period is exact in general: who starts in round r of it waits
 * up to 2 length - 1 rounds.
 */

import type { FamilyWork } from "../rate/work.ts";
import type { Round } from "../round/round.ts";
import { sparseRound } from "./graph.ts";
import { byLabelDifference, type Neighbour, type Topology, type TopologySpec, topologyOf } from "./topology.ts";

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
  /** The norm over m rounds from the start of a period, where it has a closed form. */
  norm?(m: number): number;
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

export function finiteTimeTopology(spec: TopologySpec, rounds: FiniteTime): Topology {
  const { n } = spec;
  const { length, degree, norm } = rounds;
  const kept: Round[] = [];
  // Some round leaves the network in parts, unless it is the only one.
  const rate = length === 1 ? 0 : 1;
  const whole = (t: number) => wholeRound(n, (i) => rounds.part(t, i));
  return topologyOf({
    kind: "periodic",
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
      const links = linksOf(part).sort(byLabelDifference(n, i));
      return { self: part.self, from: links, to: links };
    },
    ...(norm === undefined ? {} : { norm }),
    rate: () => ({ rate, bound: null, method: "closed form", periodNorm: 0, periodRate: 0 }),
  });
}

const linksOf = ({ partners, weight }: Part): Neighbour[] => partners.map((node) => ({ node, weight }));

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
  const self = Float64Array.from({ length: n }, (_, i) => part(i).self);
  return sparseRound(n, (i) => linksOf(part(i)), self);
}

/** What the rate of such a topology takes: no round of it is made yet. About every other one will be a list, not a matching. */
export function finiteTimeWork({ norm, exactAfter: rounds = 1, maxDegree }: Topology): FamilyWork {
  return {
    rounds,
    additions: 1 + maxDegree,
    ...(norm === undefined ? { steps: 2.5, listed: maxDegree / 2 } : { steps: 0 }),
  };
}
