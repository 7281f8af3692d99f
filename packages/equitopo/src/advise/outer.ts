/**
 * Which rule of local steps, over which topology and with how many rounds an outer step, keeps the nodes together soonest:
 * of every rule and every topology that fits, the fewest rounds whose disagreement (rate/outer.ts) is at most the one asked
 * for, and what an outer step of H updates then costs. DiLoCo's all-reduce, a ring's, leaves none and is one of the rows.
 *
 * A model of disagreement and of cost, not of the loss: rules that keep nodes equally close may still learn differently.
 */

import { InputError } from "../input/input.ts";
import * as option from "../input/option.ts";
import { isSampled, outerGrows, outerStability } from "../rate/outer.ts";
import { stretchOf } from "../rate/sequence.ts";
import { topologies } from "../topology/registry.ts";
import type { TopologySpec } from "../topology/topology.ts";
import { type Candidate, candidates, type Exclusion } from "./candidates.ts";
import { costOfAllReduce, costOfRounds } from "./cost.ts";
import { outerRule } from "./outer-rule.ts";
import { adviceOptions } from "./question.ts";

/** All options of the question. */
const { n, degree, undirected, topologies: named, modelBytes, latency, bandwidth, seed } = adviceOptions;
export const outerAdviceOptions = {
  ...{ n, degree, undirected, topologies: named, modelBytes, latency, bandwidth, seed },
  /** H, updates from one outer step to the next. */
  steps: option.required(option.whole(50, 1)),
  /** Seconds of an update; default 0. */
  compute: option.nonnegative(0),
  /** The disagreement to keep, per unit of local drift and of progress. */
  disagreement: option.positive(0.1),
};

type Settled = option.Values<typeof outerAdviceOptions>;
export type OuterQuestion = Settled;
export type AdviseOuterOptions = Partial<Settled> & Pick<Settled, "n" | "steps">;

/** An outer step of H updates; `bytes` are sent by the node that sends most. */
export interface OuterAdviceRow {
  /** The rule, with the options that set it apart: "gossip-diloco mixMomentum". */
  readonly algorithm: string;
  /** "base k=4 relabel", "all-reduce". */
  readonly topology: string;
  /** Of the topology, an outer step. */
  readonly rounds: number;
  readonly disagreement: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly method: "exact" | "sampled";
  /** All that is needed to build the topology; none for an all-reduce. */
  readonly spec?: TopologySpec;
}

export interface OuterAdvice {
  readonly question: OuterQuestion;
  /** Best first, by the seconds of an outer step. */
  readonly ranking: readonly OuterAdviceRow[];
  readonly excluded: readonly Exclusion[];
}

type Tried = Parameters<typeof outerRule>[0];

/** What is held against each other, at the defaults of each. */
const RULES: readonly Tried[] = [
  { name: "local-adamw" },
  { name: "gossip-diloco" },
  { name: "gossip-diloco", mixMomentum: true },
  { name: "noloco" },
  { name: "slowmo", by: "topology" },
  { name: "gasloc" },
];

/** The most rounds an outer step that are tried. */
const MOST_ROUNDS = 16;

/**
 * The ranking. Seconds up to some hundred nodes.
 *
 * @example
 * ```ts
 * import { adviseOuter } from "equitopo/advise";
 * const { ranking } = adviseOuter({ n: 16, steps: 50, topologies: ["ring", "one-peer-exp"], modelBytes: 4e6 });
 * ranking.every(({ disagreement }) => disagreement <= 0.1) // => true
 * ranking.some(({ algorithm, topology }) => algorithm === "diloco" && topology === "all-reduce") // => true
 * ```
 */
export function adviseOuter(
  options: AdviseOuterOptions,
  watch?: (label: string, done: number, all: number) => void,
): OuterAdvice {
  const question = option.settle("advise", outerAdviceOptions, options);
  const families = question.topologies?.map((name) => topologies.get(name)) ?? topologies;
  const { fits, excluded } = candidates({ ...question, families });
  const ranking = [allReduceRow(question)];
  fits.forEach((candidate, done) => {
    watch?.(candidate.label, done, fits.length);
    const found = RULES.map((rule) => rowOf(candidate, rule, question));
    const rows = found.filter((row): row is OuterAdviceRow => typeof row !== "string");
    ranking.push(...rows);
    if (rows.length === 0) excluded.push({ label: candidate.label, reason: found[0] as string });
  });
  ranking.sort((a, b) => a.seconds - b.seconds || a.bytes - b.bytes || a.disagreement - b.disagreement);
  return { question, ranking, excluded };
}

/** The rule with the fewest rounds that are enough, or why none are. */
function rowOf({ topology, label }: Candidate, rule: Tried, question: OuterQuestion): OuterAdviceRow | string {
  if (topology.stochastic !== undefined) return "its W is not doubly stochastic";
  const { member, options, modelOf } = outerRule({ ...rule, steps: question.steps });
  const enough = (rounds: number) => {
    const model = modelOf({ rounds });
    if (outerGrows(topology, model)) return undefined;
    const { disagreement, method } = outerStability(topology, model);
    return disagreement <= question.disagreement ? { rounds, disagreement, method } : undefined;
  };
  if (topology.pair === undefined && isSampled(topology, modelOf())) {
    return "its mean squares would be sampled for every number of rounds: ask equitopo rate --outer";
  }
  // Rounds over two vectors a node make a mean only together.
  const least = topology.pair === undefined ? 1 : stretchOf(topology);
  try {
    // More rounds seldom leave more: doubled, then one by one.
    let most = least;
    while (most <= MOST_ROUNDS && enough(most) === undefined) most *= 2;
    if (most > MOST_ROUNDS) return `more than ${MOST_ROUNDS} rounds an outer step`;
    let found = enough(most)!;
    for (let rounds = most / 2 + 1; least === 1 && rounds < most; rounds++) {
      const fewer = enough(rounds);
      if (fewer === undefined) continue;
      found = fewer;
      break;
    }
    const { vectors } = member.sends({ ...options, rounds: found.rounds });
    const each = Math.round((vectors * question.steps) / found.rounds);
    const { bytes, seconds } = costOfRounds(topology, found.rounds, question, each);
    const words = Object.entries(rule).flatMap(([key, value]) =>
      value === true ? [key] : key === "by" ? [`by=${value}`] : [],
    );
    const algorithm = [rule.name, ...words].join(" ");
    return { algorithm, topology: label, ...found, bytes, seconds: seconds + computing(question), spec: topology.spec };
  } catch (error) {
    // What takes too long to sample is left out and not the end of the advice.
    if (error instanceof InputError) return error.rule;
    throw error;
  }
}

function allReduceRow(question: OuterQuestion): OuterAdviceRow {
  const { bytes, seconds } = costOfAllReduce(question.n, 1, question);
  return {
    ...{ algorithm: "diloco", topology: "all-reduce", rounds: 1, disagreement: 0, method: "exact" },
    ...{ bytes, seconds: seconds + computing(question) },
  };
}

const computing = ({ steps, compute }: OuterQuestion) => steps * compute;
