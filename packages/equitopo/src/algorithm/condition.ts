/**
 * What an algorithm asks of W, checked before the first round.
 *
 * The sums are taken on round 0, O(edges): a registered topology has the same sums in every round, and a custom one is
 * checked once.
 */

import { isSampled, largestStable, outerGrows, outerStability } from "../rate/outer.ts";
import type { OuterModel } from "../rate/outer-model.ts";
import { type Stability, stability } from "../rate/stability.ts";
import { forEachEdge, selfWeight } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";

export interface Condition {
  /** As in "needs a ... W". */
  readonly name: string;
  /**
   * Why this topology does not fit; undefined if it does. `options` are the algorithm's, with their defaults; without them
   * only what does not depend on them is looked at.
   */
  unfit(topology: Topology, options?: Readonly<Record<string, unknown>>): string | undefined;
  /** Whether it fits, where that is quicker to say than why it does not. */
  fits?(topology: Topology, options: Readonly<Record<string, unknown>>): boolean;
}

/** Sums may miss 1 by this much, like those of a custom graph. */
const TOLERANCE = 1e-8;

/** W 1 = 1 and 1' W = 1': the mean is kept, and agreement is. Time-varying is fine. */
export const doublyStochastic: Condition = {
  name: "doubly stochastic",
  unfit: (topology) => badSum(topology, "row") ?? badSum(topology, "column"),
};

/** Why an algorithm that mixes one vector per node cannot use rounds over two. */
const TWO_VECTORS = "its W(t) mix two vectors a node, which dsgd-ceca is for";

/** For a topology that declares other sums than the algorithm needs. */
const labels = {
  rows: "its W is row-stochastic only (nodes agree on a mean that drifts)",
  columns: "its W is column-stochastic only (the mean is kept, agreement is not)",
} as const;

/** W 1 = 1: agreement is kept, the mean is not. */
export const rowStochastic: Condition = {
  name: "row-stochastic",
  unfit: (topology) => badSum(topology, "row"),
};

/** 1' W = 1': only the mean is kept; push-sum divides the rest out. */
export const columnStochastic: Condition = {
  name: "column-stochastic",
  unfit: (topology) => badSum(topology, "column"),
};

/** One symmetric doubly stochastic W for all rounds: these algorithms compare this round's W X with the last one's. */
export const staticSymmetric: Condition = {
  name: "static symmetric",
  unfit(topology) {
    if (topology.pair !== undefined) return TWO_VECTORS;
    if (topology.period !== 1) return "its W changes from round to round";
    if (!topology.symmetric) return "its W is not symmetric (some edges go one way)";
    return doublyStochastic.unfit(topology);
  },
};

/** Rounds over two vectors a node (Topology.pair), which no n x n W describes. */
export const twoVector: Condition = {
  name: "two-vector (CECA)",
  unfit: ({ pair }) => (pair === undefined ? "its W(t) mix one vector a node" : undefined),
};

/** Rounds that an outer step goes through: doubly stochastic ones, or whole periods over two vectors, which are exact means. */
export const outerRounds: Condition = {
  name: "doubly stochastic",
  unfit(topology, { rounds = 1 } = {}) {
    const { pair, period } = topology;
    if (pair === undefined) return doublyStochastic.unfit(topology);
    if (period !== undefined && (rounds as number) % period === 0) return undefined;
    const why = "its W(t) mix two vectors a node, of which one crosses the end of a period";
    return `${why}: rounds must be a multiple of the period, ${period}, and is ${rounds}`;
  },
};

/**
 * D2, exact diffusion and NIDS need one symmetric W, or rounds of any kind whose lazy form dies out: the stability radius
 * (plus its error, if it is sampled) is below 1.
 */
export const stableDiffusion: Condition = {
  name: "stable",
  unfit(topology) {
    const sums = doublyStochastic.unfit(topology);
    if (sums !== undefined || (topology.period === 1 && topology.symmetric)) return sums;
    const { radius, error } = radiusOf(topology);
    if (radius + (error ?? 0) < 1) return undefined;
    const found = error === undefined ? radius.toFixed(4) : `${radius.toFixed(4)} +- ${error.toFixed(4)} (sampled)`;
    return `its W(t) make disagreements grow: the stability radius of the lazy form is ${found}, which must be below 1`;
  },
};

/** A topology is checked again and again: before the run, and by every peer of a process. */
const known = new WeakMap<Topology, Stability>();

function radiusOf(topology: Topology): Stability {
  const found = known.get(topology) ?? stability(topology);
  known.set(topology, found);
  return found;
}

type Given = Readonly<Record<string, unknown>>;

/** The options of a rule of local steps that decide whether disagreement dies out. */
const DECISIVE = ["pull", "outerRate", "outerMomentum"];

/** Above this n sampling takes so long that a refusal leaves it at that. */
const SAMPLED_NODES = 4096;

/**
 * A rule of local steps needs rounds under which its outer steps (rate/outer.ts) do not make disagreement grow; a refusal
 * names the largest values that do not.
 */
export function stableOuter(modelOf: (options: never) => OuterModel): Condition {
  const verdicts = new WeakMap<Topology, Map<string, string | undefined>>();
  const judged = (topology: Topology, options: Given): string | undefined => {
    const model = (changed: Given = {}) => modelOf({ ...options, ...changed } as never);
    if (!outerGrows(topology, model())) return undefined;
    const given = DECISIVE.filter((name) => typeof options[name] === "number");
    const now = given.map((name) => `${name} ${options[name]}`).join(", ");
    if (topology.n > SAMPLED_NODES && isSampled(topology, model())) {
      return `its W(t) make disagreement grow with ${now}, as sampled`;
    }
    const { factor, error } = outerStability(topology, model());
    const found = error ? `${factor.toFixed(3)} +- ${error.factor.toFixed(3)} (sampled)` : factor.toFixed(3);
    const recursion = ({ stay, mix }: OuterModel) => JSON.stringify([stay, mix]);
    // NoLoCo's outer rate scales what it is driven by, and nothing else.
    const deciding = given.filter((name) => recursion(model({ [name]: 1e-3 })) !== recursion(model()));
    const stable = deciding.flatMap((name) => {
      const most = largestStable(topology, (value) => model({ [name]: value }), options[name] as number);
      return most === undefined ? [] : [`${name} up to ${most}`];
    });
    const remedy = stable.length === 0 ? "no smaller value changes that" : `stable with ${stable.join(" or ")}`;
    return `its W(t) make disagreement grow, by ${found} an outer step with ${now}; ${remedy}`;
  };
  return {
    name: "stable",
    fits(topology, options) {
      const model = modelOf(options as never);
      if (model.mean === true) return true;
      if (outerRounds.unfit(topology, options) !== undefined) return false;
      return topology.pair !== undefined || !outerGrows(topology, model);
    },
    unfit(topology, options) {
      const model = options && modelOf(options as never);
      if (model?.mean === true) return undefined;
      const unfit = outerRounds.unfit(topology, options);
      if (unfit !== undefined || model === undefined || topology.pair !== undefined) return unfit;
      // A topology is checked again and again: before the run, and by every peer of a process.
      const known = verdicts.get(topology) ?? new Map<string, string | undefined>();
      verdicts.set(topology, known);
      const key = JSON.stringify(model);
      if (!known.has(key)) known.set(key, judged(topology, options!));
      return known.get(key);
    },
  };
}

/** W is never used. */
export const anyWeights: Condition = { name: "any", unfit: () => undefined };

function badSum(topology: Topology, kind: "row" | "column"): string | undefined {
  const { stochastic, pair } = topology;
  if (pair !== undefined) return TWO_VECTORS;
  if (stochastic !== undefined && stochastic !== `${kind}s`) return labels[stochastic];
  const round = topology.round(0);
  // These hold by construction: w + (1 - w), and keep + (1 - keep).
  if (round.kind === "matching" || round.kind === "mean") return undefined;
  const sums = Float64Array.from({ length: round.n }, (_, i) => selfWeight(round, i));
  forEachEdge(round, (from, to, weight) => {
    sums[kind === "row" ? to : from] += weight;
  });
  const bad = sums.findIndex((sum) => !(Math.abs(sum - 1) <= TOLERANCE));
  return bad < 0 ? undefined : `${kind} ${bad} of its W sums to ${sums[bad]}, not 1`;
}
