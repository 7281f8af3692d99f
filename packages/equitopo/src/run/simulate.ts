/**
 * Simulates a run: topology x algorithm x problem -> a record, round by round. The algorithm asks the problem for gradients
 * at its rows and hands rows to the mixer; a meter counts the messages that it would have sent. Nothing flows back.
 */

import type { Mix, Running, State } from "../algorithm/algorithm.ts";
import { driveSteps, type Turn } from "../algorithm/drive.ts";
import { requireFit } from "../algorithm/fit.ts";
import { localNetwork } from "../algorithm/meter.ts";
import { type AlgorithmSpec, createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import { checkLatency } from "../faults/latency.ts";
import { honestRows, liarsAmong } from "../faults/liars.ts";
import { Network } from "../faults/network.ts";
import { InputError, inside, integer } from "../input/input.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import { unmarkUnheard } from "../round/messages.ts";
import type { AsyncMixer, Mixer } from "../round/mixer.ts";
import type { Round, Rows } from "../round/round.ts";
import type { TopologySpec } from "../topology/topology.ts";
import { asyncSimulation } from "./async/simulate.ts";
import { evaluator } from "./average.ts";
import { Course } from "./course/course.ts";
import { requireFeatures } from "./features/driver.ts";
import { featuresIn } from "./features/feature.ts";
import { type Recorded, Snapshot } from "./record.ts";
import { robustFor, robustMixer } from "./robust.ts";
import { lengthName, type SimulationOptions, updatesOf } from "./simulation-options.ts";
import { finish, finishAsync } from "./steps.ts";

export type { SimulationOptions };

/** The options of a run that may wait for its mixer. */
export type AsyncSimulationOptions<N extends string = never> = Omit<SimulationOptions<N>, "mixer"> & {
  readonly mixer?: Mixer | AsyncMixer;
};

/** The result of a simulation; entry k of each list belongs to `updates[k]` updates done. */
export interface SimulationRecord extends Recorded {
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem: string;
  readonly n: number;
  readonly d: number;
  readonly seed: number;
  /** The models after the last update, n rows of d. */
  readonly x: Rows;
}

/**
 * Does `updates` updates and returns the record. O(updates) times what a gradient and a round cost.
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
 * const run = simulate({ topology: ring({ n: 3 }), algorithm: { name: "dsgd", learningRate: 0.5 }, problem, updates: 3 });
 * run.metrics.mean.map((m) => m.toFixed(3)).join(" ") // => "0.000 0.500 0.750 0.875"
 * run.bytes.join(" ") // => "0 16 32 48"
 * ```
 */
export function simulate<N extends string = never>(options: SimulationOptions<N>): SimulationRecord {
  return finish(simulation(options));
}

/** About how many times more a gradient costs than mixing the same numbers. */
const GRADIENT = 20;

/** The same record, yielding to the event loop now and then, so that timers run and the signal can be aborted. */
export async function simulateAsync<N extends string = never>(
  options: AsyncSimulationOptions<N>,
): Promise<SimulationRecord> {
  const { n, d } = options.problem;
  return finishAsync(simulation(options), GRADIENT * n * d);
}

/**
 * The same run one update at a time, for programs that look at it while it goes on: yields a snapshot before the first update
 * and after every one, and returns the record. It need not be run to its end.
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
export function* simulationSteps<N extends string = never>(
  options: SimulationOptions<N>,
): Generator<Snapshot, SimulationRecord> {
  const steps = simulation(options);
  let step = steps.next();
  for (; !step.done; step = steps.next(step.value)) if (step.value instanceof Snapshot) yield step.value;
  return step.value;
}

/** The run itself, one exchange at a time. It is handed back each value that it yields, once that is ready. */
function* simulation(given: AsyncSimulationOptions<string>): Generator<unknown, SimulationRecord, unknown> {
  const options = { ...given, rounds: integer(lengthName(given), updatesOf(given), 0) };
  const { topology, problem } = options;
  const { n, d } = problem;
  const seed = integer("seed", options.seed ?? 0, 0);
  const optimiser = isOptimiser(options.algorithm) ? options.algorithm : createAlgorithm(options.algorithm, problem);
  const mixer = options.mixer ?? kernelMixer(n);
  requireSameSize("the problem's n", n, topology.n);
  requireSameSize("the mixer's n", mixer.n, topology.n);
  requireFit(optimiser.algorithm, topology, optimiser.spec);
  const liars = liarsAmong(options.faults ?? {}, n, seed);
  const { robust, faults, async: mode } = options;
  const parts = { topology, optimiser, liars, robust, faults, ...(mode && { ...mode, mode: "async" as const }) };
  const used = featuresIn(parts, { checkpoint: options.keep ?? options.saved });
  requireFeatures(mode === undefined ? "simulator" : "simulator-async", used);
  // Such a mixer applies whole rounds only.
  const mixing = [...used].filter(([name]) => name === "liars" || name === "defences");
  if ("later" in mixer) requireFeatures("gpu", new Map(mixing));
  const latency = inside("latency", () => checkLatency(n, options.latency ?? localNetwork));
  const head = { topology: topology.spec, algorithm: optimiser.spec, problem: problem.name, n, d, seed };
  if (mode !== undefined) {
    return { ...head, ...(yield* asyncSimulation({ ...options, async: mode, optimiser, seed, latency })) };
  }

  const { exchanges } = optimiser;
  const course = new Course({ ...options, async: false, seed, latency, exchanges, measuresDrift: true });
  const { meter, drift } = course;
  const network = new Network(topology, options.faults ?? {}, seed);
  const running = start(options, optimiser, mixer, seed, course.saved?.state as State | undefined);
  const defence = robust && robustFor(robust, optimiser, topology);
  const robustly = defence === undefined && liars === undefined ? undefined : robustMixer(defence, liars);
  const evaluated = evaluator(problem, "later" in mixer ? kernelMixer(n, "float32") : mixer, liars);
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
    const mixed = (x: Rows) => robustly?.(round, x, turn.exchange) ?? mixer.mix(round, x);
    return together(vectors.map((rows, v) => (drift === undefined || v > 0 ? mixed(rows) : drift.over(rows, mixed))));
  };
  const look = (updates: number) => {
    const { record, evaluate, last } = course.due(updates);
    const { x } = running.state;
    if (record) course.take(updates, problem.metrics(honestRows(x, liars)));
    if (evaluate) course.evaluated(updates, evaluated(x, updates, last));
  };
  const save = (updates: number) => {
    if (course.saves(updates)) course.save(updates, { state: running.state, problem: problem.state });
  };

  let t = course.first;
  if (course.saved === undefined) look(0);
  const snapshot = () => new Snapshot(t, running.state.x, course.lists);
  yield snapshot();
  for (; t < course.rounds; yield snapshot()) {
    if (course.stopped) {
      save(t);
      course.stop();
    }
    yield* driveSteps(running, t, exchange, exchanges) as Generator<unknown, void, unknown>;
    look(++t);
    save(t);
    course.progress(t);
  }
  return { ...head, ...course.lists, x: running.state.x.slice() };
}

/** The algorithm on all rows, from the beginning or from a saved state. */
function start(
  { topology, problem }: AsyncSimulationOptions<string>,
  optimiser: Optimiser,
  mixer: Mixer | AsyncMixer,
  seed: number,
  saved: State | undefined,
): Running {
  let begun = false;
  // The mixer never frees its memory, so rows that an iteration asks for are ordinary ones and are collected.
  const rows = (width: number) => {
    if (!begun) return mixer.rows(width);
    const Kind = world.x0 instanceof Float32Array ? Float32Array : Float64Array;
    return new Kind(problem.n * width);
  };
  const world = createWorld({ topology, problem, learningRate: optimiser.learningRate, seed, rows });
  const running = optimiser.start(world, saved);
  begun = true;
  return running;
}

/** All answers at once, or as soon as all are ready. */
const together = (answers: readonly (Rows | Promise<Rows>)[]): readonly Rows[] | Promise<readonly Rows[]> =>
  answers.some((answer) => answer instanceof Promise) ? Promise.all(answers) : (answers as readonly Rows[]);

function isOptimiser(algorithm: SimulationOptions<string>["algorithm"]): algorithm is Optimiser {
  return "start" in algorithm;
}

function requireSameSize(name: string, n: number, nodes: number): void {
  if (n !== nodes) throw new InputError(`${name} must be the topology's, ${nodes}`, n, `give both n = ${nodes}`);
}
