/**
 * The adviser: of everything registered that fits, what reaches the goal first, by predicted time or bytes.
 *
 * The goal is plain averaging to a tolerance, or a gradient method's relative error (learning.ts). All-reduce is one of the
 * rows: an exact mean, 2 (n - 1) / n vectors, after 2 (n - 1) messages one after another. What is predicted is said with
 * how sure it is; what is left out, with the reason.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms } from "../algorithm/registry.ts";
import { defined, InputError } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { topologies } from "../topology/registry.ts";
import type { TopologyFamily, TopologySpec } from "../topology/topology.ts";
import { type Candidate, candidates, type Exclusion } from "./candidates.ts";
import { consensusForecast, type Forecast } from "./consensus.ts";
import { costOfAllReduce, costOfRounds } from "./cost.ts";
import { expectedErrors } from "./expected.ts";
import { exactMeanForecast, learningForecast, unmodelled } from "./learning.ts";
import { type ModelProblem, modelProblem } from "./model-problem.ts";
import { type AdviseOptions, type Question, settleQuestion } from "./question.ts";
import { reasons } from "./words.ts";

/** Called before each candidate: its label, and how many of how many are done. */
export type AdviceWatch = (label: string, done: number, all: number) => void;

/** What was predicted: rounds of averaging, or iterations of the method. */
export interface AdviceRow extends Forecast {
  /** "base k=4 relabel", "all-reduce". */
  readonly label: string;
  /** All that is needed to build it; none for an all-reduce. */
  readonly spec?: TopologySpec;
  readonly group?: TopologyFamily["group"];
  /** The most peers that a node hears from in a round. */
  readonly degree: number;
  /** Sent by the node that sends most. */
  readonly bytes: number;
  readonly seconds: number;
}

export interface Advice {
  readonly question: Question;
  /** Best first; Infinity (it never gets there) is not among them. */
  readonly ranking: readonly AdviceRow[];
  readonly excluded: readonly Exclusion[];
  /** Of a gradient method: the share of forecasts that are within a fifth of what a simulation takes, where it is known. */
  readonly expected?: number;
  /** Two sentences: why the first is first, and what that means for the paper's graphs. */
  readonly why: string;
}

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
export function advise(options: AdviseOptions, watch?: AdviceWatch): Advice {
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
  /** The advice from the candidates so far, for a page that shows something at once. */
  soFar(): Advice;
}

/**
 * The same advice, a candidate at a time, for a program that must not be kept waiting: yields before each one, returns the
 * advice.
 *
 * @example
 * ```ts
 * import { adviceSteps } from "equitopo/advise";
 * const [first, second] = adviceSteps({ n: 16, topologies: ["ring", "star"] });
 * `${first.label}, ${first.done} of ${first.all}` // => "ring, 0 of 4"
 * second.soFar().ranking.map(({ label }) => label).join() // => "all-reduce,ring"
 * ```
 */
export function* adviceSteps(options: AdviseOptions): Generator<AdviceStep, Advice> {
  const question = settleQuestion(options);
  const { by, algorithm } = question;
  const method = algorithm === undefined ? undefined : algorithms.get(algorithm);
  const silence = method === undefined ? undefined : unmodelled(method);
  if (silence !== undefined) {
    throw new InputError(`${algorithm} cannot be advised on: ${silence}`, algorithm, "try dsgd, dsgt or d2");
  }
  const families = question.topologies?.map((name) => topologies.get(name)) ?? topologies;
  const { fits, excluded } = candidates({ ...question, families });
  const task = method && { method, problem: modelProblem(question.n, { ...question, sigma: 0 }, question.seed) };
  const rows: AdviceRow[] = [allReduceRow(question, task)];
  const key = (row: AdviceRow) => (by === "time" ? [row.seconds, row.bytes] : [row.bytes, row.seconds]);
  const soFar = (): Advice => {
    // Those that cost the same stay in the registry's order, fixed labels before fresh ones.
    const ranking = [...rows].sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1] || a.rounds - b.rounds);
    const why = reasons(question, ranking);
    return {
      question,
      ranking,
      excluded: [...excluded],
      ...defined({ expected: expectedErrors[algorithm ?? ""] }),
      why,
    };
  };
  for (const [k, candidate] of fits.entries()) {
    const { label } = candidate;
    yield { label, done: k, all: fits.length, soFar };
    const row = unfit(candidate, method) ?? rowOf(candidate, question, task);
    if (typeof row === "string") excluded.push({ label, reason: row });
    else rows.push(row);
  }
  return soFar();
}

/** Why the goal cannot be reached over this one. */
function unfit({ topology }: Candidate, method: Algorithm | undefined): string | undefined {
  if (method !== undefined) return method.condition.unfit(topology);
  if (topology.stochastic === "rows") return "its nodes agree, but on a mean that drifts";
  if (topology.stochastic === "columns") return "its columns sum to 1 and its rows do not: it needs push-sum";
  return undefined;
}

/** A gradient method, and the problem that its forecasts are for. */
interface Task {
  readonly method: Algorithm;
  readonly problem: ModelProblem;
}

/** The row, or why there is none. */
function rowOf({ topology, label, family }: Candidate, question: Question, task?: Task): AdviceRow | string {
  let forecast: Forecast;
  try {
    forecast =
      task === undefined
        ? consensusForecast(topology, question)
        : learningForecast(task.method, topology, task.problem, question);
  } catch (error) {
    // What has no gain at this n, or cannot be run with faults, is left out and not the end of the advice.
    if (error instanceof InputError) return error.rule;
    throw error;
  }
  const { rounds } = forecast;
  if (!(rounds < Number.POSITIVE_INFINITY)) return "nothing promises that it gets there, and a short run did not";
  const { vectors, yields } = trafficOf(task?.method);
  const network = costOfRounds(topology, rounds, question, vectors / yields);
  return {
    label,
    spec: topology.spec,
    ...(family.group === undefined ? {} : { group: family.group }),
    degree: topology.maxDegree,
    ...forecast,
    bytes: yields * network.bytes,
    seconds: yields * network.seconds + computing(question, task, rounds),
  };
}

function allReduceRow(question: Question, task: Task | undefined): AdviceRow {
  const { n, tolerance, loss, sigma } = question;
  const once: Forecast = { rounds: 1, certainty: "exact" };
  const forecast = task === undefined ? once : exactMeanForecast(task.problem, sigma, tolerance);
  const { bytes, seconds } = costOfAllReduce(n, forecast.rounds, question, loss);
  return {
    label: "all-reduce",
    degree: 1,
    ...forecast,
    bytes,
    seconds: seconds + computing(question, task, forecast.rounds),
  };
}

/** Vectors of an iteration, and the exchanges that they go in. */
function trafficOf(method: Algorithm | undefined): { readonly vectors: number; readonly yields: number } {
  if (method === undefined) return { vectors: 1, yields: 1 };
  const options = settle(method.name, method.options, {});
  return { vectors: method.sends(options).vectors, yields: method.exchanges(options).yields };
}

/** One gradient an iteration. */
const computing = ({ compute }: Question, task: Task | undefined, iterations: number): number =>
  task === undefined ? 0 : compute * iterations;
