/**
 * topology x algorithm x problem -> a record, round by round: the algorithm asks the problem for gradients at its rows
 * and hands rows to the mixer; a meter counts what it would have sent. Nothing flows back.
 */

import type { Mix, Running, State } from "../algorithm/algorithm.ts";
import { driveSteps, type Turn } from "../algorithm/drive.ts";
import { requireFit } from "../algorithm/fit.ts";
import { localNetwork, Meter } from "../algorithm/meter.ts";
import { type AlgorithmSpec, createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import { checkLatency, type Latency } from "../faults/latency.ts";
import { honestRows, type LiarFaults, type Liars, liarsAmong } from "../faults/liars.ts";
import { type Faults, Network } from "../faults/network.ts";
import { InputError, inside, integer } from "../input/input.ts";
import type { Problem } from "../problem/problem.ts";
import type { DefenceSpec } from "../robust/defence.ts";
import { unmarkUnheard } from "../round/heard.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { AsyncMixer, Mixer } from "../round/mixer.ts";
import type { Round, Rows } from "../round/round.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import { type AsyncSimulation, asyncSimulation } from "./async/simulate.ts";
import { averager } from "./average.ts";
import { Drift } from "./drift.ts";
import { evaluated } from "./evaluated.ts";
import type { Signal } from "./gossip.ts";
import { Hearing } from "./hearing.ts";
import { requireAttackable } from "./liars.ts";
import { type Curves, prefixed, Recorder, type SavedRun, within } from "./record.ts";
import { robustFor } from "./robust.ts";
import { Between, type Standing } from "./standing.ts";
import { finish, finishAsync } from "./steps.ts";

export interface SimulationOptions {
  readonly topology: Topology;
  /** As createAlgorithm gives or takes it. */
  readonly algorithm: Optimiser | AlgorithmSpec;
  readonly problem: Problem;
  /** Updates to do. */
  readonly rounds: number;
  /** Of the algorithm's own random choices (compression) and of faults; topology and problem have theirs. */
  readonly seed?: number;
  /** Metrics are taken after every so many updates (default 1), and after the last. */
  readonly every?: number;
  /** The problem's evaluation, if it has one: after every so many updates (default an epoch), and after the last. */
  readonly evaluate?: number;
  readonly mixer?: Mixer;
  readonly latency?: Latency;
  /**
   * Messages lost on purpose: those that real peers with the same seed lose. And nodes that lie: metrics and evaluations are
   * then those of the honest ones. Where labels are flipped, the problem must have been made so (ProblemContext).
   */
  readonly faults?: Pick<Faults, "drop"> & LiarFaults;
  /** Mixing that withstands liars. */
  readonly robust?: DefenceSpec;
  /** Rounds in which nobody waits, on the clock of `latency` (async/simulate.ts). */
  readonly async?: AsyncSimulation;
  /** Ends the run with its reason. A synchronous run sees only what onProgress or the problem aborts. */
  readonly signal?: Signal;
  /** After every update. */
  readonly onProgress?: (done: number, rounds: number) => void;
  /** Goes on from here; everything else must be as it was, but for `rounds`. */
  readonly saved?: SavedRun;
  /** Keeps what it takes to go on (live memory: encode it at once): whenever it is due, asked after every update, and when the signal ends the run. */
  readonly keep?: { due(updates: number): boolean; save(run: SavedRun): void };
  readonly onEvaluation?: (updates: number, metrics: Readonly<Record<string, number>>) => void;
}

/** The same, where the run may wait for its mixer. */
export type AsyncSimulationOptions = Omit<SimulationOptions, "mixer"> & { readonly mixer?: Mixer | AsyncMixer };

/** What came of a run; entry k of each list belongs to `updates[k]` updates done. */
export interface SimulationRecord {
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem: string;
  readonly n: number;
  readonly d: number;
  readonly seed: number;
  /** 0, every, 2 every, ..., rounds. */
  readonly updates: readonly number[];
  readonly metrics: Curves;
  /** What the problem's evaluation found, where it has one: after evaluations.updates[k] updates, all of them in `updates`. */
  readonly evaluations?: { readonly updates: readonly number[]; readonly metrics: Curves };
  /** Bytes sent so far by the node that sent most. */
  readonly bytes: readonly number[];
  /** Messages sent so far by the node that sent most. */
  readonly messages: readonly number[];
  /** Seconds of communication so far under the latency-bandwidth model. */
  readonly seconds: readonly number[];
  /** Over a hierarchy: bytes sent to other groups so far by the group that sent most, that is, between machines. */
  readonly between?: readonly number[];
  /** Over topologies whose columns do not sum to 1: how far mixing alone has moved the mean of the models. */
  readonly meanDrift?: number;
  /** The models after the last update, n rows of d. */
  readonly x: Rows;
}

/**
 * Runs `rounds` updates and returns the record. O(rounds) times what a gradient and a round cost.
 *
 * @example
 * ```ts
 * import { type Problem, ring, simulate } from "equitopo";
 * // f_i = (x - i)^2 / 2 at node i: the mean of the models goes to the mean of the labels, 1.
 * const problem: Problem = {
 *   name: "labels", n: 3, d: 1,
 *   gradient(x, t, out, first, count) { for (let i = 0; i < count; i++) out[i] = x[i] - (first + i); },
 *   metrics: (x) => ({ mean: (x[0] + x[1] + x[2]) / 3 }),
 * };
 * const run = simulate({ topology: ring({ n: 3 }), algorithm: { name: "dsgd", learningRate: 0.5 }, problem, rounds: 3 });
 * run.metrics.mean.map((m) => m.toFixed(3)).join(" ") // => "0.000 0.500 0.750 0.875"
 * run.bytes.join(" ") // => "0 16 32 48"
 * ```
 */
export function simulate(options: SimulationOptions): SimulationRecord {
  return finish(simulation(options));
}

/** A gradient costs about so many times what mixing its numbers costs: samples of the data for each. */
const GRADIENT = 20;

/** The same record, with the event loop let in now and then, so that timers run and the signal can be aborted. */
export async function simulateAsync(options: AsyncSimulationOptions): Promise<SimulationRecord> {
  const { n, d } = options.problem;
  return finishAsync(simulation(options), GRADIENT * n * d);
}

/**
 * The same run, an update at a time, for who wants to look at it as it goes: yields where it stands before the first
 * update and after every one, and returns the record. It need not be gone through to its end.
 *
 * @example
 * ```ts
 * import { leastSquares, ring } from "equitopo";
 * import { simulationSteps } from "equitopo/run";
 * const problem = leastSquares({ n: 5 });
 * const run = simulationSteps({ topology: ring({ n: 5 }), algorithm: { name: "dsgd" }, problem, rounds: 100 });
 * const looks = [run.next(), run.next()].map(({ value }) => value);
 * looks.map((look) => "done" in look && look.done).join() // => "0,1"
 * ```
 */
export function* simulationSteps(options: SimulationOptions): Generator<Standing, SimulationRecord> {
  const steps = simulation(options);
  for (let handed: unknown; ; ) {
    const step = steps.next(handed);
    if (step.done) return step.value;
    handed = step.value;
    if (step.value instanceof Between) yield step.value;
  }
}

/** The run itself, one exchange at a time: it is handed back what it yields, once that is there. */
function* simulation(options: AsyncSimulationOptions): Generator<unknown, SimulationRecord, unknown> {
  const { topology, problem, signal, onProgress, saved, keep } = options;
  const { n, d } = problem;
  const rounds = integer("rounds", options.rounds, 0);
  const every = integer("every", options.every ?? 1, 1);
  const evaluate = integer("evaluate", options.evaluate ?? problem.epoch ?? Math.max(1, rounds), 1);
  const seed = integer("seed", options.seed ?? 0, 0);
  const optimiser = isOptimiser(options.algorithm) ? options.algorithm : createAlgorithm(options.algorithm, problem);
  const mixer = options.mixer ?? kernelMixer(n);
  requireSameSize("the problem's n", n, topology.n);
  requireSameSize("the mixer's n", mixer.n, topology.n);
  requireFit(optimiser.algorithm, topology);
  const latency = inside("latency", () => checkLatency(n, options.latency ?? localNetwork));
  if (options.async !== undefined) {
    return yield* asyncSimulation({ ...options, async: options.async, optimiser, rounds, every, seed, latency });
  }

  const meter = new Meter(n, latency, seed, topology.hierarchy?.groups);
  const record = new Recorder();
  const network = new Network(topology, options.faults ?? {}, seed);
  const running = start(options, optimiser, mixer, seed);
  const liars = liarsAmong(options.faults ?? {}, n, seed);
  const hearing = hearingOf(options, optimiser, mixer, liars);
  const average = averager("later" in mixer ? kernelMixer(n, "float32") : mixer, liars?.marks);
  const drift = topology.stochastic === "rows" ? new Drift(n, d) : undefined;
  const mean: Round = { kind: "mean", n, keep: 0 };
  const exchange = ({ vectors, by, coded, heard }: Mix, turn: Turn) => {
    const size = (coded?.bytes.length ?? vectors.reduce((sum, rows) => sum + rows.byteLength, 0)) / n;
    if (by === "mean") {
      meter.allReduce(size);
      return together(vectors.map((rows) => mixer.mix(mean, rows)));
    }
    const { planned, round } = network.passage(turn.round, turn.exchange);
    meter.exchange(planned, size, turn.exchange);
    if (heard !== undefined) unmarkUnheard(round, heard);
    const mixed = (x: Rows) => hearing?.mix(round, x, turn.exchange) ?? mixer.mix(round, x);
    return together(vectors.map((rows, v) => (drift === undefined || v > 0 ? mixed(rows) : drift.over(rows, mixed))));
  };
  const look = (done: number) => {
    const last = done === rounds;
    const evaluates = problem.evaluation !== undefined && done > 0 && (done % evaluate === 0 || last);
    if (done % every !== 0 && !last && !evaluates) return;
    const { x } = running.state;
    record.take(done, problem.metrics(honestRows(x, liars)), meter);
    if (!evaluates) return;
    const found = evaluated(problem, x, done, last, average, liars);
    record.evaluate(done, found);
    options.onEvaluation?.(done, found);
  };
  const state = (updates: number): SavedRun => ({
    updates,
    vectors: {
      ...prefixed("state.", running.state),
      ...prefixed("problem.", problem.state ?? {}),
      ...prefixed("meter.", meter.state()),
      ...prefixed("record.", record.state()),
      ...prefixed("drift.", drift?.state() ?? {}),
    },
  });

  let t = saved?.updates ?? 0;
  if (saved === undefined) look(0);
  else {
    meter.restore(within("meter.", saved.vectors) as Record<string, Float64Array>);
    record.restore(within("record.", saved.vectors) as Record<string, Float64Array>);
    drift?.restore(within("drift.", saved.vectors) as Record<string, Float64Array>);
  }
  const between = () => new Between(t, running.state.x, record.lists);
  yield between();
  for (; t < rounds; yield between()) {
    if (signal?.aborted) {
      keep?.save(state(t));
      throw signal.reason;
    }
    yield* driveSteps(running, t, exchange, optimiser.exchanges) as Generator<unknown, void, unknown>;
    look(++t);
    if (keep?.due(t)) keep.save(state(t));
    onProgress?.(t, rounds);
  }
  return {
    topology: topology.spec,
    algorithm: optimiser.spec,
    problem: problem.name,
    n,
    d,
    seed,
    ...record.lists,
    ...(drift === undefined ? {} : { meanDrift: drift.distance }),
    x: running.state.x.slice(),
  };
}

/** The algorithm on all rows, at the beginning or where a saved run stands. */
function start(
  { topology, problem, saved }: AsyncSimulationOptions,
  optimiser: Optimiser,
  mixer: Mixer | AsyncMixer,
  seed: number,
): Running {
  let begun = false;
  // The mixer's memory is never given back: what an iteration asks for comes from elsewhere, and is collected.
  const rows = (width: number) => {
    if (!begun) return mixer.rows(width);
    const Kind = world.x0 instanceof Float32Array ? Float32Array : Float64Array;
    return new Kind(problem.n * width);
  };
  const world = createWorld({ topology, problem, learningRate: optimiser.learningRate, seed, rows });
  const running = optimiser.start(world, saved && (within("state.", saved.vectors) as State));
  for (const [name, values] of Object.entries(within("problem.", saved?.vectors ?? {}))) {
    problem.state?.[name]?.set(values);
  }
  begun = true;
  return running;
}

/** Who mixes in the mixer's place where somebody lies or nodes defend themselves. */
function hearingOf(
  { robust, topology }: AsyncSimulationOptions,
  optimiser: Optimiser,
  mixer: Mixer | AsyncMixer,
  liars: Liars | undefined,
): Hearing | undefined {
  const defence = robust && robustFor(robust, optimiser, topology);
  if (defence === undefined && liars === undefined) return undefined;
  requireAttackable(liars, optimiser);
  if (!("later" in mixer)) return new Hearing(defence, liars);
  throw new InputError("robust mixing and liars are played on the CPU", "a GPU", "leave out --device gpu");
}

/** All answers at once, or when all are there. */
function together(answers: readonly (Rows | Promise<Rows>)[]): readonly Rows[] | Promise<readonly Rows[]> {
  return answers.some((answer) => answer instanceof Promise) ? Promise.all(answers) : (answers as readonly Rows[]);
}

function isOptimiser(algorithm: Optimiser | AlgorithmSpec): algorithm is Optimiser {
  return typeof algorithm.start === "function";
}

function requireSameSize(name: string, n: number, nodes: number): void {
  if (n !== nodes) throw new InputError(`${name} must be the topology's, ${nodes}`, n, `give both n = ${nodes}`);
}
