/**
 * What every topology is: n nodes, and for each round t a doubly stochastic weight matrix W(t), given as a Round to
 * whoever sees the whole network and as peers(t, i) to node i alone. The two agree; peers never goes through the round.
 */

import type { Options, Values } from "../input/option.ts";
import type { Member } from "../input/registry.ts";
import type { Rate } from "../rate/rate.ts";
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
  /** All that is needed to build exactly this topology again, with what was drawn written out. */
  readonly spec: TopologySpec;
  /** Round t = 0, 1, 2, ... of the whole network. */
  round(t: number): Round;
  /** Node i's part of round t, in O(its degree). */
  peers(t: number, i: number): Peers;
  /** The exact consensus rate, with the paper's bound where it has one. */
  rate(): Rate;
  /** The round in which these were drawn (Family.choices); where left out, nothing is drawn that could be given. */
  roundOf?(choice: { readonly shift: number; readonly start: number }): Round;
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
  /** What it is in a comparison: one of the paper's, or what the paper holds them against; your own where left out. */
  readonly group?: "equitopo" | "baseline";
  /** Why this n is refused, or undefined where it is accepted. */
  readonly refuses?: (n: number) => string | undefined;
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

/** Sorts links into the order of additions at node i. */
export function byLabelDifference(n: number, i: number): (a: Link, b: Link) => number {
  const difference = (j: number) => (i - j + n) % n;
  return (a, b) => difference(a.node) - difference(b.node);
}
