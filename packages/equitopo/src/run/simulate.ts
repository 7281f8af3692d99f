/**
 * topology x algorithm x problem -> a record, round by round: the algorithm asks the problem for gradients at its rows
 * and hands rows to the mixer; a meter counts what it would have sent. Nothing flows back.
 */

import { drive } from "../algorithm/drive.ts";
import { requireFit } from "../algorithm/fit.ts";
import { localNetwork, Meter } from "../algorithm/meter.ts";
import { type AlgorithmSpec, createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import { checkLatency, type Latency } from "../faults/latency.ts";
import { InputError, inside, integer } from "../input/input.ts";
import type { Problem } from "../problem/problem.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Round, Rows } from "../round/round.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import type { Signal } from "./gossip.ts";
import { finish, finishAsync } from "./steps.ts";

export interface SimulationOptions {
  readonly topology: Topology;
  /** As createAlgorithm gives or takes it. */
  readonly algorithm: Optimiser | AlgorithmSpec;
  readonly problem: Problem;
  /** Updates to do. */
  readonly rounds: number;
  /** Of the algorithm's own random choices (compression); topology and problem have theirs. */
  readonly seed?: number;
  /** Metrics are taken after every so many updates (default 1), and after the last. */
  readonly every?: number;
  readonly mixer?: Mixer;
  readonly latency?: Latency;
  /** Ends the run with its reason. A synchronous run sees only what onProgress or the problem aborts. */
  readonly signal?: Signal;
  /** After every update. */
  readonly onProgress?: (done: number, rounds: number) => void;
}

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
  readonly metrics: Readonly<Record<string, readonly number[]>>;
  /** Bytes sent so far by the node that sent most. */
  readonly bytes: readonly number[];
  /** Messages sent so far by the node that sent most. */
  readonly messages: readonly number[];
  /** Seconds of communication so far under the latency-bandwidth model. */
  readonly seconds: readonly number[];
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
export async function simulateAsync(options: SimulationOptions): Promise<SimulationRecord> {
  const { n, d } = options.problem;
  return finishAsync(simulation(options), GRADIENT * n * d);
}

/** The run itself, one update at a time. */
function* simulation(options: SimulationOptions): Generator<void, SimulationRecord> {
  const { topology, problem, signal, onProgress } = options;
  const { n, d } = problem;
  const rounds = integer("rounds", options.rounds, 0);
  const every = integer("every", options.every ?? 1, 1);
  const seed = integer("seed", options.seed ?? 0, 0);
  const optimiser = isOptimiser(options.algorithm) ? options.algorithm : createAlgorithm(options.algorithm);
  const mixer = options.mixer ?? kernelMixer(n);
  requireSameSize("the problem's n", n, topology.n);
  requireSameSize("the mixer's n", mixer.n, topology.n);
  requireFit(optimiser.algorithm, topology);

  const { learningRate } = optimiser;
  const world = createWorld({ topology, problem, learningRate, seed, rows: (width) => mixer.rows(width) });
  const running = optimiser.start(world);
  const meter = new Meter(
    n,
    inside("latency", () => checkLatency(n, options.latency ?? localNetwork)),
    seed,
  );
  const record = new Recorder(problem, meter);
  const mean: Round = { kind: "mean", n, keep: 0 };

  record.take(0, running.state.x);
  for (let t = 0; t < rounds; t++) {
    if (signal?.aborted) throw signal.reason;
    drive(
      running,
      t,
      ({ vectors, by, coded }, turn) => {
        const size = (coded?.bytes.length ?? vectors.reduce((sum, rows) => sum + rows.byteLength, 0)) / n;
        const round = by === "mean" ? mean : topology.round(turn.round);
        if (by === "mean") meter.allReduce(size);
        else meter.exchange(round, size, turn.exchange);
        return vectors.map((rows) => mixer.mix(round, rows));
      },
      optimiser.exchanges,
    );
    const done = t + 1;
    if (done % every === 0 || done === rounds) record.take(done, running.state.x);
    onProgress?.(done, rounds);
    yield;
  }
  return {
    topology: topology.spec,
    algorithm: optimiser.spec,
    problem: problem.name,
    n,
    d,
    seed,
    ...record.lists,
    x: running.state.x.slice(),
  };
}

/** The lists of a record, as they grow. */
class Recorder {
  readonly #problem: Problem;
  readonly #meter: Meter;
  readonly lists = {
    updates: [] as number[],
    metrics: {} as Record<string, number[]>,
    bytes: [] as number[],
    messages: [] as number[],
    seconds: [] as number[],
  };

  constructor(problem: Problem, meter: Meter) {
    this.#problem = problem;
    this.#meter = meter;
  }

  take(updates: number, x: Rows): void {
    const { lists } = this;
    lists.updates.push(updates);
    for (const [name, value] of Object.entries(this.#problem.metrics(x))) {
      lists.metrics[name] ??= [];
      lists.metrics[name].push(value);
    }
    lists.bytes.push(this.#meter.bytes);
    lists.messages.push(this.#meter.messages);
    lists.seconds.push(this.#meter.seconds);
  }
}

function isOptimiser(algorithm: Optimiser | AlgorithmSpec): algorithm is Optimiser {
  return typeof algorithm.start === "function";
}

function requireSameSize(name: string, n: number, nodes: number): void {
  if (n !== nodes) throw new InputError(`${name} must be the topology's, ${nodes}`, n, `give both n = ${nodes}`);
}
