/**
 * The adviser: of everything registered that fits, what reaches the goal first, by predicted time or bytes.
 *
 * The goal is plain averaging to a tolerance, or a gradient method's relative error (learning.ts). All-reduce is one of the
 * rows: an exact mean, 2 (n - 1) / n vectors, after 2 (n - 1) messages one after another. What is predicted is said with
 * how sure it is; what is left out, with the reason.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms } from "../algorithm/registry.ts";
import { InputError, integer, nodes, nonnegative, oneOf, onlyKeys, real } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { topologies } from "../topology/registry.ts";
import type { Family, TopologySpec } from "../topology/topology.ts";
import { type Candidate, candidates, type Exclusion } from "./candidates.ts";
import type { Certainty } from "./consensus.ts";
import { type Cost, costOfAllReduce, costOfRounds } from "./cost.ts";
import {
  averagingForecast,
  exactMeanForecast,
  type LearningForecast,
  learningForecast,
  unmodelled,
} from "./learning.ts";
import { reasons } from "./words.ts";

export interface AdviseOptions {
  readonly n: number;
  /** The most peers that a node may hear from in a round; any number where left out. */
  readonly degree?: number;
  /** Only graphs in which every edge goes both ways. */
  readonly undirected?: boolean;
  /** Only these families; all that are registered where left out. */
  readonly topologies?: readonly string[];
  /** Bytes of one vector; default 1e6. */
  readonly modelBytes?: number;
  /** Seconds a message; default 1e-4. */
  readonly latency?: number;
  /** Bytes a second; default 1.25e8, a gigabit. */
  readonly bandwidth?: number;
  /** Seconds of a gradient; default 0. */
  readonly compute?: number;
  /** The share of messages that are lost; default 0. */
  readonly loss?: number;
  /** The gradient method, by its name in the registry; plain averaging where left out. */
  readonly algorithm?: string;
  /** Whether nodes that lie together have data alike, as where it is sorted by label. */
  readonly heterogeneous?: boolean;
  /** The problem: L / mu (default 2.5, the paper's least squares), heterogeneity and noise in units of L times the distance to the solution (1, 0). */
  readonly kappa?: number;
  readonly b?: number;
  readonly sigma?: number;
  /** Default 1e-6; 0.01 for methods with a bias, whose every digit costs ten times as much. */
  readonly tolerance?: number;
  /** What to rank by; default time. */
  readonly by?: "time" | "bytes";
  /** Of everything drawn; default 0. */
  readonly seed?: number;
}

/** The question with everything settled. */
export type Question = Required<Omit<AdviseOptions, Open>> & Pick<AdviseOptions, Open>;

/** What may stay open. */
type Open = "degree" | "algorithm" | "topologies";

/** Told before each candidate: which, and after how many of how many. */
export type Watch = (label: string, done: number, all: number) => void;

export interface AdviceRow {
  /** "base k=4 relabel", "all-reduce". */
  readonly label: string;
  /** All that is needed to build it; none for an all-reduce. */
  readonly spec?: TopologySpec;
  readonly group?: Family["group"];
  /** The most peers that a node hears from in a round. */
  readonly degree: number;
  /** Rounds of averaging, or iterations of the method. */
  readonly rounds: number;
  readonly certainty: Certainty;
  /** Sent by the node that sends most. */
  readonly bytes: number;
  readonly seconds: number;
  /** Gradient methods: the step in units of 1 / L, and the gain that it comes from. */
  readonly step?: number;
  readonly gain?: number;
  /**
   * Averaging with loss, where it was sampled: how far the mean moves, as a fraction of the nodes' distance from it at the
   * start. Nodes agree to the tolerance, but on that.
   */
  readonly shift?: number;
}

export interface Advice {
  readonly question: Question;
  /** Best first; Infinity (it never gets there) is not among them. */
  readonly ranking: readonly AdviceRow[];
  readonly excluded: readonly Exclusion[];
  /** Two sentences: why the first is first, and what that means for the paper's graphs. */
  readonly why: string;
}

const names: readonly (keyof AdviseOptions)[] = [
  ...(["n", "degree", "undirected", "modelBytes", "latency", "bandwidth", "compute", "loss", "algorithm"] as const),
  ...(["heterogeneous", "kappa", "b", "sigma", "tolerance", "by", "seed", "topologies"] as const),
];

/**
 * The ranking, the reasons and what was left out. Costs what the exact rates and gains of all candidates cost: seconds up
 * to some hundred nodes.
 *
 * @example
 * ```ts
 * import { advise } from "equitopo";
 * const { ranking } = advise({ n: 64, degree: 1, undirected: true, modelBytes: 87_000 });
 * ranking.some(({ label }) => label === "all-reduce") // => true
 * ranking.every(({ degree }) => degree <= 1) // => true
 * ```
 */
export function advise(options: AdviseOptions, watch?: Watch): Advice {
  const steps = adviceSteps(options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    watch?.(step.value.label, step.value.done, step.value.all);
  }
}

/** Which candidate is next, after how many of how many. */
export interface AdviceStep {
  readonly label: string;
  readonly done: number;
  readonly all: number;
}

/**
 * The same advice, a candidate at a time, for who must not be kept waiting: yields before each one, returns the advice.
 *
 * @example
 * ```ts
 * import { adviceSteps } from "equitopo/advise";
 * adviceSteps({ n: 16, topologies: ["ring", "star"] }).next().value // => { label: "ring", done: 0, all: 4 }
 * ```
 */
export function* adviceSteps(options: AdviseOptions): Generator<AdviceStep, Advice> {
  const question = settleQuestion(options);
  const { n, degree, undirected, seed, by } = question;
  const families = question.topologies?.map((name) => topologies.get(name));
  const method = question.algorithm === undefined ? undefined : algorithms.get(question.algorithm);
  const silence = method === undefined ? undefined : unmodelled(method);
  if (silence !== undefined) {
    throw new InputError(`${method?.name} cannot be advised on: ${silence}`, method?.name, "try dsgd, dsgt or d2");
  }
  const { fits, excluded } = candidates({
    ...{ n, undirected, seed },
    ...(degree === undefined ? {} : { degree }),
    ...(families === undefined ? {} : { families }),
  });
  const left: Exclusion[] = [...excluded];
  const rows: AdviceRow[] = [allReduceRow(question, method)];
  for (const [k, candidate] of fits.entries()) {
    yield { label: candidate.label, done: k, all: fits.length };
    const reason = unfit(candidate, method);
    const row = reason === undefined ? rowOf(candidate, question, method) : reason;
    if (typeof row === "string") left.push({ label: candidate.label, reason: row });
    else rows.push(row);
  }
  const key = (row: AdviceRow) => (by === "time" ? [row.seconds, row.bytes] : [row.bytes, row.seconds]);
  // Those that cost the same stay in the registry's order, fixed labels before fresh ones.
  const ranking = rows.sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1] || a.rounds - b.rounds);
  return { question, ranking, excluded: left, why: reasons(question, ranking) };
}

function settleQuestion(options: AdviseOptions): Question {
  onlyKeys("advise", options, names);
  const positive = { min: 0, max: Number.POSITIVE_INFINITY, open: "both" } as const;
  const { degree, algorithm, topologies: named } = options;
  const exact = algorithm === undefined || algorithms.get(algorithm).exact;
  return {
    n: nodes(options.n),
    ...(degree === undefined ? {} : { degree: integer("degree", degree, 1) }),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(named === undefined ? {} : { topologies: named }),
    undirected: options.undirected ?? false,
    modelBytes: real("modelBytes", options.modelBytes ?? 1e6, positive, 1e6),
    latency: real("latency", options.latency ?? 1e-4, nonnegative, 1e-4),
    bandwidth: real("bandwidth", options.bandwidth ?? 1.25e8, positive, 1.25e8),
    compute: real("compute", options.compute ?? 0, nonnegative, 0.005),
    loss: real("loss", options.loss ?? 0, { min: 0, max: 1, open: "max" }, 0.05),
    heterogeneous: options.heterogeneous ?? false,
    kappa: real("kappa", options.kappa ?? 2.5, { min: 1, max: Number.POSITIVE_INFINITY, open: "max" }, 10),
    b: real("b", options.b ?? 1, nonnegative, 1),
    sigma: real("sigma", options.sigma ?? 0, nonnegative, 1),
    tolerance: real("tolerance", options.tolerance ?? (exact ? 1e-6 : 0.01), { min: 0, max: 1, open: "both" }, 1e-6),
    by: oneOf("by", options.by ?? "time", ["time", "bytes"]),
    seed: integer("seed", options.seed ?? 0, 0),
  };
}

/** Why the goal cannot be reached over this one. */
function unfit({ topology }: Candidate, method: Algorithm | undefined): string | undefined {
  if (method !== undefined) return method.condition.unfit(topology);
  if (topology.stochastic === "rows") return "its nodes agree, but on a mean that drifts";
  if (topology.stochastic === "columns") return "its columns sum to 1 and its rows do not: it needs push-sum";
  return undefined;
}

/** The row, or why there is none. */
function rowOf(candidate: Candidate, question: Question, method: Algorithm | undefined): AdviceRow | string {
  const { topology, label, family } = candidate;
  const forecast = forecastOf(candidate, question, method);
  if (typeof forecast === "string") return forecast;
  const { iterations: rounds, certainty, step, gain, shift } = forecast;
  if (!(rounds < Number.POSITIVE_INFINITY)) return "nothing promises that it gets there, and a short run did not";
  const { vectors, yields } = trafficOf(method);
  const network = costOfRounds(topology, rounds, question, vectors / yields);
  return {
    label,
    spec: topology.spec,
    ...(family.group === undefined ? {} : { group: family.group }),
    degree: topology.maxDegree,
    rounds,
    certainty,
    bytes: yields * network.bytes,
    seconds: yields * network.seconds + computing(question, method, rounds),
    ...(method === undefined ? {} : { step }),
    ...(gain === undefined ? {} : { gain }),
    ...(shift === undefined ? {} : { shift }),
  };
}

function forecastOf(
  { topology }: Candidate,
  question: Question,
  method: Algorithm | undefined,
): LearningForecast | string {
  try {
    if (method === undefined) return averagingForecast(topology, question);
    return learningForecast(method, topology, question, question);
  } catch (error) {
    // What has no gain at this n, or cannot be run with faults, is left out and not the end of the advice.
    if (error instanceof InputError) return error.rule;
    throw error;
  }
}

function allReduceRow(question: Question, method: Algorithm | undefined): AdviceRow {
  const { n, tolerance, loss } = question;
  const forecast = method === undefined ? undefined : exactMeanForecast(n, question, tolerance);
  const rounds = forecast?.iterations ?? 1;
  const cost: Cost = costOfAllReduce(n, rounds, question, loss);
  return {
    label: "all-reduce",
    degree: 1,
    rounds,
    certainty: forecast?.certainty ?? "exact",
    bytes: cost.bytes,
    seconds: cost.seconds + computing(question, method, rounds),
    ...(forecast === undefined ? {} : { step: forecast.step }),
  };
}

/** Vectors of an iteration, and the exchanges that they go in. */
function trafficOf(method: Algorithm | undefined): { readonly vectors: number; readonly yields: number } {
  if (method === undefined) return { vectors: 1, yields: 1 };
  const options = settle(method.name, method.options, {});
  return { vectors: method.sends(options).vectors, yields: method.exchanges(options).yields };
}

/** One gradient an iteration. */
function computing({ compute }: Question, method: Algorithm | undefined, iterations: number): number {
  return method === undefined ? 0 : compute * iterations;
}
