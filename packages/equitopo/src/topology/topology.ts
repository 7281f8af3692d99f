/**
 * What every topology is: n nodes, and for each round t a doubly stochastic weight matrix W(t), given as a Round to
 * whoever sees the whole network and as peers(t, i) to node i alone. The two agree; peers never goes through the round.
 */

import { integer, nodes } from "../input/input.ts";
import { type Options, settle, type Values } from "../input/option.ts";
import type { AnyFamily } from "../input/registry.ts";
import type { Rate } from "../rate/rate.ts";
import type { RoundSequence } from "../rate/sequence.ts";
import type { FamilyWork } from "../rate/work.ts";
import type { Groups } from "../round/groups.ts";
import { isMean, type Round } from "../round/round.ts";
import type { Rule } from "./plan/rule.ts";

/** A neighbour and the weight on the edge. */
export interface Neighbour {
  readonly node: number;
  readonly weight: number;
}

/** Node i's view of one round. */
export interface Peers {
  /** Its own weight w_ii. */
  readonly self: number;
  /** Whom it receives from, with weight w_ij, in the order of additions: by ascending (i - j) mod n. */
  readonly from: readonly Neighbour[];
  /** Whom it sends to, with the weight w_ki that the receiver gives it. */
  readonly to: readonly Neighbour[];
}

export interface Topology extends RoundSequence {
  readonly name: string;
  /** Whether some edge goes one way only. */
  readonly directed: boolean;
  /** The largest number of distinct peers a node receives from in one round: the true one, not the paper's bound. */
  readonly maxDegree: number;
  /** Some own weights may be negative (sums are still 1): the best step of some random graphs is that long. */
  readonly signed?: true;
  /** Two levels: exact means inside groups, whose least size is `least`, and another topology between them. */
  readonly hierarchy?: { readonly groups: Groups; readonly least: number; readonly between: Topology };
  /** Graphs drawn from points in the unit square: where the nodes stand. */
  readonly points?: { readonly x: Float64Array; readonly y: Float64Array };
  /** What is worth knowing of this very topology: a torus of one row is a ring. */
  readonly note?: string;
  /**
   * What draws its rounds, as a plan has it; rounds that nothing else can be said of are written out, `most` of them. Left
   * out where the rounds of one period, `hierarchy` and `pair` say it all.
   */
  readonly rule?: (most: number) => Rule;
  /** All that is needed to build exactly this topology again, with what was drawn written out. */
  readonly spec: TopologySpec;
  /** Node i's part of round t, in O(its degree). */
  peers(t: number, i: number): Peers;
  /** The round in which these were drawn (Family.choices); where left out, nothing is drawn that could be given. */
  roundOf?(choice: { readonly shift: number; readonly start: number }): Round;
}

export type { PairWeights as PairRound } from "../rate/sequence.ts";

/** The name of a family, n, and that family's options: plain JSON. */
export interface TopologySpec {
  readonly name: string;
  readonly n: number;
  readonly [option: string]: unknown;
}

/** A member of the registry: one file each. */
export interface TopologyFamily<O extends Options = Options, N extends string = string> extends AnyFamily {
  readonly name: N;
  /** Its place in the paper, or who introduced it. */
  readonly source: string;
  /** Its name on figures and pages: the paper's, or the name in the registry with a capital if left out. */
  readonly title?: string;
  /** How a picture places its nodes, if not on a circle; rows and columns are read off the spec. */
  readonly layout?: "star" | "lattice" | "wrapped" | "hypercube";
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
  /** n where its options have it, so that a spec may leave it out. */
  readonly nodesOf?: (options: Readonly<Record<string, unknown>>) => number | undefined;
  /** The smallest n; 2 if left out. */
  readonly fewest?: number;
  /** Why this n is refused, or undefined where it is accepted. */
  readonly refuses?: (n: number) => string | undefined;
  /** The note that the topology of these options will have, known before it is built. */
  note?(options: { readonly n: number } & Values<O>): string | undefined;
  /** What building the topology of these options and finding its rate take; left out where that is next to nothing. */
  work?(options: { readonly n: number } & Values<O>): FamilyWork | undefined;
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
 * declare module "equitopo" { interface TopologyMembers { hop: typeof hop } } // so that the compiler knows it
 * createTopology({ name: "hop", n: 5, k: 2 }).peers(0, 0).from[0].node // => 3
 * ```
 */
export function defineTopology<O extends Options, N extends string>(
  member: TopologyFamily<O, N>,
): TopologyFamily<O, N> {
  return member;
}

/**
 * The topology as it is handed out: t and i are checked in every call (a fractional round or a label of nobody would
 * otherwise give numbers that mean nothing), a round is frozen, and the rate is computed once. Every constructor ends with
 * this. O(1) a call.
 */
export function guarded<T extends Topology>(topology: T): T {
  const { n, round, peers } = topology;
  let known: Rate | undefined;
  return {
    ...topology,
    rate() {
      known ??= topology.rate();
      return known;
    },
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

type Derived = "directed" | "period";

/**
 * The guarded topology whose name and n are those of its spec. Where left out, its edges go both ways if it is symmetric,
 * and it has a period of 1 if it is static, none otherwise. It is exact after one round where that is the mean.
 */
export function topologyOf<T extends Topology = Topology>(
  rest: Omit<T, "name" | "n" | Derived> & Partial<Pick<Topology, Derived>>,
): T {
  const { spec, kind, symmetric, maxDegree, exactAfter, round } = rest as unknown as Topology;
  const isStatic = kind === "static";
  const derived = { name: spec.name, n: spec.n, directed: !symmetric, period: isStatic ? 1 : undefined };
  // Only where everybody hears everybody is the round made to look at it.
  const exact = isStatic && exactAfter === undefined && maxDegree === spec.n - 1 && isMean(round(0));
  return guarded({ ...derived, ...rest, ...(exact ? { exactAfter: 1 } : {}) } as unknown as T);
}

/** The topology with that note, where there is one. */
export function noted(topology: Topology, note: string | undefined): Topology {
  return note === undefined ? topology : { ...topology, note };
}

/**
 * n and the family's options, checked, with its defaults for those that are left out: every constructor begins with this,
 * called by hand or by name.
 */
export function checkOptions<O extends Options>(
  { name, options, fewest }: Pick<TopologyFamily<O>, "name" | "options" | "fewest">,
  given: { readonly n: number },
): { readonly n: number } & Values<O> {
  const n = nodes(given.n, fewest);
  return { ...settle(name, options, given, ["n"]), n };
}

/** Sorts links into the order of additions at node i. */
export function byLabelDifference(n: number, i: number): (a: Neighbour, b: Neighbour) => number {
  const difference = (j: number) => (i < j ? i - j + n : i - j);
  return (a, b) => difference(a.node) - difference(b.node);
}
