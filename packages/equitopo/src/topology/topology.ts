/**
 * What every topology is: n nodes, and for each round t a doubly stochastic weight matrix W(t), given as a Round to
 * whoever sees the whole network and as peers(t, i) to node i alone. The two agree; peers never goes through the round.
 */

import { integer, nodes } from "../input/input.ts";
import { type Options, settle, type Values } from "../input/option.ts";
import type { Member } from "../input/registry.ts";
import type { Rate } from "../rate/rate.ts";
import type { ShiftDraws, TurnedPairs } from "../rate/sequence.ts";
import type { RateWork } from "../rate/work.ts";
import type { Groups } from "../round/groups.ts";
import type { Round } from "../round/round.ts";

/** A neighbour and the weight on the edge. */
export interface Link {
  readonly node: number;
  readonly weight: number;
}

/** Node i's view of one round. */
export interface Peers {
  /** Its own weight w_ii. */
  readonly self: number;
  /** Whom it receives from, with weight w_ij, in the order of additions: by ascending (i - j) mod n. */
  readonly from: readonly Link[];
  /** Whom it sends to, with the weight w_ki that the receiver gives it. */
  readonly to: readonly Link[];
}

export interface Topology {
  readonly name: string;
  readonly n: number;
  /** static: one W; periodic: W(t) repeats after `period` rounds (perhaps in another order); random: drawn each round. */
  readonly kind: "static" | "periodic" | "random";
  /** Whether some edge goes one way only. */
  readonly directed: boolean;
  /** Whether every W(t) is symmetric. */
  readonly symmetric: boolean;
  /** The largest number of distinct peers a node receives from in one round: the true one, not the paper's bound. */
  readonly maxDegree: number;
  /** Rounds in one period: 1 when static, undefined when random. */
  readonly period: number | undefined;
  /**
   * Which sums of every W(t) are 1; both (doubly stochastic, the mean is kept) where left out. With "rows" alone nodes
   * agree, on a mean that drifts; with "columns" alone the mean is kept, and push-sum divides the rest out.
   */
  readonly stochastic?: "rows" | "columns";
  /** Some own weights may be negative (sums are still 1): the best step of some random graphs is that long. */
  readonly signed?: true;
  /** Rounds from the start of a period after which every node holds the exact mean; undefined where no number is enough. */
  readonly exactAfter?: number;
  /** Random rounds that are drawn together: rounds of two blocks of so many rounds are independent, those of one are not. */
  readonly block?: number;
  /** i.i.d. random rounds that treat all directions alike: E W x = mean x and E |W x|^2 = square |x|^2 for every x of sum 0. */
  readonly moments?: { readonly mean: number; readonly square: number };
  /** i.i.d. random rounds of one shift: which, and how often each comes. */
  readonly draws?: ShiftDraws;
  /** i.i.d. random rounds of pairs at one label difference, turned by a uniform start. */
  readonly turned?: TurnedPairs;
  /** Two levels: exact means inside groups, whose least size is `least`, and another topology between them. */
  readonly hierarchy?: { readonly groups: Groups; readonly least: number; readonly between: Topology };
  /** Graphs drawn from points in the unit square: where the nodes stand. */
  readonly points?: { readonly x: Float64Array; readonly y: Float64Array };
  /** What is worth knowing of this very topology: a torus of one row is a ring. */
  readonly note?: string;
  /** All that is needed to build exactly this topology again, with what was drawn written out. */
  readonly spec: TopologySpec;
  /** Round t = 0, 1, 2, ... of the whole network. */
  round(t: number): Round;
  /** Node i's part of round t, in O(its degree). */
  peers(t: number, i: number): Peers;
  /** The exact consensus rate, with the paper's bound where it has one. */
  rate(): Rate;
  /** ||W(m - 1) ... W(0) - J||_2 for m = 1, 2, ..., where it has a closed form. */
  norm?(m: number): number;
  /** What round t does where nodes keep two vectors (CECA): round(t) then only says who hears whom, with weight 1. */
  pair?(t: number): PairRound;
  /** The round in which these were drawn (Family.choices); where left out, nothing is drawn that could be given. */
  roundOf?(choice: { readonly shift: number; readonly start: number }): Round;
}

/**
 * A round over two vectors a node, x and z: one of them travels, and r, what a node hears of it, is mixed into both:
 *
 *   x <- x.own x + x.heard r,   z <- z.own z + z.heard r.
 *
 * Where nothing is heard x stays, and so does z, unless it keeps nothing of itself (z.own = 0): then it becomes x.
 */
export interface PairRound {
  readonly sends: "x" | "z";
  readonly x: { readonly own: number; readonly heard: number };
  readonly z: { readonly own: number; readonly heard: number };
}

/** The name of a family, n, and that family's options: plain JSON. */
export interface TopologySpec {
  readonly name: string;
  readonly n: number;
  readonly [option: string]: unknown;
}

/** A member of the registry: one file each. */
export interface Family<O extends Options = Options> extends Member {
  /** Where it stands in the paper, or whose it is. */
  readonly source: string;
  /** The options it takes beside n. */
  readonly options: O;
  /** What it is in a comparison: one of the paper's, what the paper holds them against, or a later rival; your own where left out. */
  readonly group?: "equitopo" | "baseline" | "rival";
  /** Whether a comparison that names no topologies shows it, where it is a rival: there are too many for one table. */
  readonly featured?: true;
  /**
   * Sets of options worth a look at this n where a node may have `degree` peers in a round, best first: the defaults alone
   * where left out. What has more peers after all is not chosen.
   */
  readonly variants?: (n: number, degree: number) => readonly Readonly<Record<string, unknown>>[];
  /** Why this n is refused, or undefined where it is accepted. */
  readonly refuses?: (n: number) => string | undefined;
  /** The note that the topology of these options will have, told before it is built. */
  note?(options: { readonly n: number } & Values<O>): string | undefined;
  /** What it takes to build the topology of these options and to find its rate, of your own; the library's are in work.ts. */
  work?(options: { readonly n: number } & Values<O>): RateWork | undefined;
  /** Its rounds are drawn anew, so that it has no use for the option `relabel`. */
  readonly random?: true;
  /** The random choices of a round that `Topology.roundOf` takes by hand. */
  readonly choices?: readonly ("shift" | "start")[];
  create(options: { readonly n: number } & Values<O>): Topology;
}

/**
 * A member for `topologies.add` or a plug-in, its options' types inferred.
 *
 * @example
 * ```ts
 * import { circulantRate, circulantTopology, createTopology, defineTopology, option, topologies } from "equitopo";
 * // Everybody hears from the node k places before it.
 * const hop = defineTopology({
 *   name: "hop",
 *   summary: "directed, static, degree 1",
 *   source: "an example",
 *   options: { k: option.whole(1, 1) },
 *   create: ({ n, k }) => circulantTopology({ name: "hop", n, k }, 0.5, [k], [0.5], circulantRate),
 * });
 * topologies.add(hop);
 * createTopology({ name: "hop", n: 5, k: 2 }).peers(0, 0).from[0].node // => 3
 * ```
 */
export function defineTopology<O extends Options>(member: Family<O>): Family<O> {
  return member;
}

/**
 * The topology as it is handed out: t and i are checked in every call (a fractional round or a label of nobody would
 * otherwise give numbers that mean nothing), and a round is frozen. Every constructor ends with this. O(1) a call.
 */
export function guarded<T extends Topology>(topology: T): T {
  const { n, round, peers } = topology;
  return {
    ...topology,
    round(t) {
      if (!(Number.isSafeInteger(t) && t >= 0)) integer("t", t, 0);
      return Object.freeze(round(t));
    },
    peers(t, i) {
      if (!(Number.isSafeInteger(t) && t >= 0)) integer("t", t, 0);
      if (!(Number.isSafeInteger(i) && i >= 0 && i < n)) integer("i", i, 0, n - 1);
      return peers(t, i);
    },
  };
}

/** The topology with that note, where there is one. */
export function noted(topology: Topology, note: string | undefined): Topology {
  return note === undefined ? topology : { ...topology, note };
}

/** Refuses options that the family does not take, or not so: every constructor begins with this, called by hand or by name. */
export function checkOptions({ name, options }: Family, given: { readonly n: number }): void {
  nodes(given.n);
  settle(name, options, given, ["n"]);
}

/** Sorts links into the order of additions at node i. */
export function byLabelDifference(n: number, i: number): (a: Link, b: Link) => number {
  const difference = (j: number) => (i < j ? i - j + n : i - j);
  return (a, b) => difference(a.node) - difference(b.node);
}
