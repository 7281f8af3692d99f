/**
 * What draws a topology's rounds, as data: plain JSON that any language can redraw round t from, for every t.
 *
 *   table    rounds written out, one after another for ever; with a seed each period in an order drawn for it
 *   shift    i hears i - v, v drawn for each round from the basis (OD-EquiDyn)
 *   pairs    pairs at one label difference, drawn for each round (OU-EquiDyn)
 *   labels   another rule under labels that are drawn anew every `block` rounds (relabelled graphs, random matchings, ...)
 *   push     every node pushes to s others of its own choice (EL-Local)
 *   subset   matchings, each of which takes part with a probability of its own (MATCHA)
 *   grouped  means inside groups and a rule between them (hierarchy)
 *   pair     a rule that says who hears whom, and the weights over two vectors a node (CECA)
 *   rounds   so many rounds written out, and no more: all that can be said of a plug-in's random rounds
 *
 * docs/formats.md has every member of these.
 */

import type { PairWeights } from "../../rate/sequence.ts";
import type { CirculantRound, MatchingRound, MeanRound } from "../../round/round.ts";
import type { Grouping } from "../grouping.ts";

/** A round as JSON, n left out. Weights of sparse rounds are kept once: rows hold places in their list. */
export type WrittenRound =
  | (Lists<Omit<CirculantRound, "n">> & { readonly kind: "circulant" })
  | (Lists<Omit<MatchingRound, "n">> & { readonly kind: "matching" })
  | Omit<MeanRound, "n">
  /** Consecutive labels in groups of `size` take their mean; the last group has what is left. */
  | { readonly kind: "cliques"; readonly size: number }
  /** Row i is [own weight, j, weight, j, weight, ...], in the order of additions. */
  | { readonly kind: "sparse"; readonly weights: readonly number[]; readonly rows: readonly (readonly number[])[] };

type Lists<R> = { readonly [K in keyof R]: R[K] extends Int32Array | Float64Array ? readonly number[] : R[K] };

export interface TableRule {
  readonly name: "table";
  readonly rounds: readonly WrittenRound[];
  readonly seed?: number;
}

export interface ShiftRule {
  readonly name: "shift";
  readonly basis: readonly number[] | "full";
  readonly weight: number;
  readonly seed: number;
}

export interface PairsRule {
  readonly name: "pairs";
  readonly basis: readonly number[] | "full";
  readonly construction: "greedy" | "euclid";
  readonly weight: number;
  readonly seed: number;
}

export interface LabelsRule {
  readonly name: "labels";
  readonly of: Rule;
  readonly block: number;
  readonly seed: number;
  readonly stream: number;
}

export interface PushRule {
  readonly name: "push";
  readonly s: number;
  readonly seed: number;
}

export interface SubsetRule {
  readonly name: "subset";
  /** The weight of every edge that takes part. */
  readonly alpha: number;
  readonly probabilities: readonly number[];
  /** The ends of each matching's edges, one edge after another. */
  readonly matchings: readonly (readonly number[])[];
  readonly seed: number;
}

export interface GroupedRule {
  readonly name: "grouped";
  /** Sizes of consecutive groups, or the members of each. */
  readonly groups: Exclude<Grouping, number>;
  /** Among the groups; left out where there is only one. */
  readonly between?: Rule;
}

export interface PairRule {
  readonly name: "pair";
  readonly rounds: readonly PairWeights[];
  readonly of: Rule;
}

export interface RoundsRule {
  readonly name: "rounds";
  readonly rounds: readonly WrittenRound[];
}

export type Rule =
  | TableRule
  | ShiftRule
  | PairsRule
  | LabelsRule
  | PushRule
  | SubsetRule
  | GroupedRule
  | PairRule
  | RoundsRule;
