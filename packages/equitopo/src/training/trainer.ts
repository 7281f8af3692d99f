/**
 * Training of n replicas, one step at a time: an algorithm of the registry over rows in shared memory, whose gradients
 * and mixing the threads do. The same spec, seed and data give the same bits on any number of threads, and a saved
 * state goes on bit for bit.
 *
 * A subpath of its own, `equitopo/training`: it needs Node's threads.
 */

import type { Running, State } from "../algorithm/algorithm.ts";
import { drive } from "../algorithm/drive.ts";
import { requireFit } from "../algorithm/fit.ts";
import { createAlgorithm } from "../algorithm/registry.ts";
import { createSchedule } from "../algorithm/schedule.ts";
import { createWorld } from "../algorithm/world.ts";
import type { Dataset } from "../data/dataset.ts";
import { type Shares, splitData } from "../data/split.ts";
import { InputError, integer, real } from "../input/input.ts";
import type { Model } from "../nn/model.ts";
import { meanRow, squaredDistance } from "../round/distance.ts";
import { messagesOf } from "../round/messages.ts";
import { forEachEdgeInto, type Round, type Rows, selfWeight } from "../round/round.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";
import { Crew } from "./crew.ts";
import { type Score, score } from "./score.ts";
import { rowAllocator, type Shared, shareDataset, sharedMemory } from "./shared.ts";
import { cifar10Rate, createModel, type TrainingSpec } from "./spec.ts";
import { commands, STRETCH, scheduleOf, type Trial, testShare, trials } from "./work.ts";

/** All that a run must keep to go on: plain numbers and rows. */
export interface TrainingState {
  /** Steps done. */
  readonly t: number;
  readonly rows: Readonly<Record<string, Float32Array>>;
  readonly statistics: Float32Array;
  /** Bytes sent so far, node by node. */
  readonly sent: Float64Array;
  /** The losses of gradients that belong to steps to come (trackers look one ahead). */
  readonly lossSums: Readonly<Record<string, number>>;
}

export interface Evaluation {
  /** The averaged model on the whole test set. */
  readonly averaged: Score;
  /** Each node's own model; empty where none was tried. */
  readonly nodes: readonly Score[];
}

export interface TrainerOptions {
  readonly train: Dataset;
  readonly test: Dataset;
  /** Threads, the calling one included; default 1. */
  readonly workers?: number;
}

/** Batches from which the averaged model re-estimates its batch-norm statistics. */
const ESTIMATE_IMAGES = 2048;

export class Trainer {
  readonly spec: TrainingSpec;
  readonly topology: Topology;
  readonly model: Model;
  readonly n: number;
  readonly stepsPerEpoch: number;
  /** Images that all nodes together see in an epoch. */
  readonly imagesPerEpoch: number;
  /** Who holds what; null where data is dealt anew every epoch. */
  readonly shares: Shares | null;
  readonly #crew: Crew;
  readonly #shared: Shared;
  readonly #running: Running;
  readonly #rows: (width: number) => Rows;
  readonly #spares = new Map<number, Rows>();
  readonly #lossSums = new Map<number, number>();
  readonly #sent: Float64Array;
  #t: number;
  #round: Round | undefined;

  /** Ready for step 0, or for the step after `saved`. */
  static async create(spec: TrainingSpec, options: TrainerOptions, saved?: TrainingState): Promise<Trainer> {
    const topology = createTopology(spec.topology);
    const { n } = topology;
    const threads = Math.min(n, integer("workers", options.workers ?? 1, 1, 1024));
    integer("the batch", spec.batch, 1);
    real("weight decay", spec.weightDecay, { min: 0, max: 1 }, 1e-4);
    const [train, test] = [shareDataset(options.train), shareDataset(options.test)];
    const model = createModel(spec.model, train);
    const shares = spec.split.kind === "dealt" ? null : splitData(train.labels, n, spec.split, spec.seed);
    const plan = sharedMemory(model, n, spec.batch, test.count, threads);
    const shared: Shared = {
      ...{ memory: plan.memory, places: plan.places, n, spec, shares, train, test },
      ints: new Int32Array(new SharedArrayBuffer(64)),
      args: new Float64Array(new SharedArrayBuffer(64)),
    };
    return new Trainer(await Crew.start(shared, threads), shared, topology, model, rowAllocator(plan, n), saved);
  }

  private constructor(
    crew: Crew,
    shared: Shared,
    topology: Topology,
    model: Model,
    rows: (width: number) => Rows,
    saved: TrainingState | undefined,
  ) {
    const { spec, n, memory, places } = shared;
    this.spec = spec;
    this.topology = topology;
    this.model = model;
    this.n = n;
    this.shares = shared.shares;
    this.#crew = crew;
    this.#shared = shared;
    this.#rows = rows;
    const schedule = scheduleOf(shared);
    this.stepsPerEpoch = schedule.stepsPerEpoch;
    this.imagesPerEpoch = n * schedule.imagesPerEpoch;
    const optimiser = createAlgorithm({ ...spec.algorithm, learningRate: 1 });
    requireFit(optimiser.algorithm, topology);
    const { learningRate: rate, seed } = spec;
    const learningRate = rate === "cifar10" ? cifar10Rate(n, this.stepsPerEpoch) : createSchedule(rate);
    const start = model.initialParameters(seed);
    const gradient = (x: Rows, t: number, out: Rows) => this.#gradient(x, t, out);
    const problem = { name: model.name, n, d: model.parameterCount, start, gradient, metrics: () => ({}) };
    const world = createWorld({ topology, problem, learningRate, seed, rows });
    const statistics = new Float32Array(memory.buffer, places.statistics, (n + 1) * model.statisticsCount);
    const initial = model.initialStatistics();
    for (let i = 0; i <= n; i++) statistics.set(initial, i * initial.length);
    if (saved !== undefined && saved.statistics.length !== statistics.length) {
      throw new InputError("a saved state fits its network", model.name, "go on with what it was saved from");
    }
    if (saved !== undefined) statistics.set(saved.statistics);
    for (const [epoch, sum] of Object.entries(saved?.lossSums ?? {})) this.#lossSums.set(Number(epoch), sum);
    this.#sent = saved?.sent.slice() ?? new Float64Array(n);
    this.#t = saved?.t ?? 0;
    this.#running = optimiser.start(world, saved?.rows as State | undefined);
  }

  /** Steps done so far. */
  get steps(): number {
    return this.#t;
  }

  /** The models, n rows; valid until the next step. */
  get x(): Float32Array {
    return this.#running.state.x as Float32Array;
  }

  /** Bytes sent so far by the node that sent most. */
  get bytesPerNode(): number {
    return this.#sent.reduce((most, bytes) => Math.max(most, bytes), 0);
  }

  /** One iteration of the algorithm. */
  step(): void {
    const t = this.#t;
    const round = this.topology.round(t);
    drive(
      this.#running,
      t,
      ({ vectors, by, coded }) => {
        const size = (coded?.bytes.length ?? vectors.reduce((sum, rows) => sum + rows.byteLength, 0)) / this.n;
        this.#count(by === "mean" ? undefined : round, size);
        return vectors.map((rows) => this.#mix(by === "mean" ? { kind: "mean", n: this.n, keep: 0 } : round, rows));
      },
      { hops: 1, yields: 2 },
    );
    this.#t++;
  }

  /** The mean loss over the nodes and the steps of an epoch that were done so far. */
  trainLoss(epoch: number): number {
    const steps = Math.min(this.stepsPerEpoch, this.#t - epoch * this.stepsPerEpoch);
    return (this.#lossSums.get(epoch) ?? Number.NaN) / (this.n * steps);
  }

  /** sqrt(1/n sum_i ||x_i - mean||^2). */
  consensusDistance(): number {
    return Math.sqrt(squaredDistance(this.x, meanRow(this.x, this.n)) / this.n);
  }

  /** The averaged model: parameters, and statistics that it re-estimated from training images. */
  averaged(): { parameters: Float32Array; statistics: Float32Array } {
    const { memory, places, spec, train } = this.#shared;
    const { parameterCount, statisticsCount } = this.model;
    const parameters = new Float32Array(memory.buffer, places.average, parameterCount);
    parameters.set(meanRow(this.x, this.n));
    if (statisticsCount > 0) {
      const batches = Math.ceil(Math.min(ESTIMATE_IMAGES, train.count) / spec.batch);
      this.#crew.run(commands.estimate, 1, batches);
    }
    const at = places.statistics + 4 * this.n * statisticsCount;
    return { parameters, statistics: new Float32Array(memory.buffer, at, statisticsCount) };
  }

  /** Accuracies and losses on the test set: of the averaged model, and of the nodes' own where `trial` says so. */
  evaluate(trial: Trial = "all"): Evaluation {
    this.averaged();
    const { n } = this;
    const { memory, places, test, spec } = this.#shared;
    const each = trial === "none" ? 0 : trial === "all" ? test.count : Math.ceil(test.count / n);
    const batches = (count: number) => Math.ceil(count / spec.batch);
    const tasks = n * batches(each) + batches(test.count);
    this.#crew.run(commands.evaluate, tasks, this.x.byteOffset, trials.indexOf(trial));
    const { classes } = this.model;
    const logits = new Float32Array(memory.buffer, places.logits, (n + 1) * test.count * classes);
    // A softmax over the batch depends on the batch: a node's share of the test set, as run.
    const group = Math.ceil(test.count / n);
    const all = Int32Array.from({ length: test.count }, (_, k) => k);
    const tried = (row: number, index: Int32Array) => {
      const from = row * test.count * classes;
      const part = logits.subarray(from, from + index.length * classes);
      return score(
        part,
        Int32Array.from(index, (k) => test.labels[k]),
        classes,
        spec.softmax,
        group,
      );
    };
    const nodes = trial === "none" ? [] : Array.from({ length: n }, (_, i) => i);
    return {
      averaged: tried(n, all),
      nodes: nodes.map((i) => tried(i, trial === "all" ? all : testShare(test.count, n, spec.seed, i))),
    };
  }

  /** What a checkpoint keeps: copies, so that training may go on meanwhile. */
  state(): TrainingState {
    const { memory, places } = this.#shared;
    const count = (this.n + 1) * this.model.statisticsCount;
    const rows = Object.entries(this.#running.state).map(([name, x]) => [name, new Float32Array(x)]);
    return {
      t: this.#t,
      rows: Object.fromEntries(rows),
      statistics: new Float32Array(memory.buffer, places.statistics, count).slice(),
      sent: this.#sent.slice(),
      lossSums: Object.fromEntries(this.#lossSums),
    };
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#crew.close();
  }

  #gradient(x: Rows, t: number, out: Rows): void {
    const { memory, places } = this.#shared;
    this.#crew.run(commands.gradient, this.n, x.byteOffset, out.byteOffset, t);
    const losses = new Float64Array(memory.buffer, places.losses, this.n);
    const epoch = Math.floor(t / this.stepsPerEpoch);
    // Nobody asks for the losses of epochs long gone.
    this.#lossSums.delete(epoch - 2);
    this.#lossSums.set(epoch, (this.#lossSums.get(epoch) ?? 0) + losses.reduce((sum, loss) => sum + loss, 0));
  }

  #mix(round: Round, x: Rows): Rows {
    const width = x.length / this.n;
    const y = this.#spares.get(width) ?? this.#rows(width);
    this.#spares.set(width, x);
    if (round.kind !== "mean" && round !== this.#round) this.#lay(round);
    const how = round.kind === "mean" ? [1, round.keep] : [0, 0];
    this.#crew.run(commands.mix, Math.ceil(width / STRETCH), x.byteOffset, y.byteOffset, width, ...how);
    return y;
  }

  /** The round as lists in shared memory, edges in the order of additions. */
  #lay(round: Round): void {
    const { memory, places } = this.#shared;
    const { n } = this;
    const self = new Float64Array(memory.buffer, places.self, n);
    const start = new Int32Array(memory.buffer, places.start, n + 1);
    const weights = new Float64Array(memory.buffer, places.weights, n * n);
    const senders = new Int32Array(memory.buffer, places.from, n * n);
    let edge = 0;
    for (let i = 0; i < n; i++) {
      self[i] = selfWeight(round, i);
      start[i] = edge;
      forEachEdgeInto(round, i, (from, _to, weight) => {
        senders[edge] = from;
        weights[edge++] = weight;
      });
    }
    start[n] = edge;
    this.#round = round;
  }

  /** Bytes sent: one message to each peer, or a ring's all-reduce. */
  #count(round: Round | undefined, bytes: number): void {
    const messages = round === undefined ? (2 * (this.n - 1)) / this.n : messagesOf(round);
    for (let i = 0; i < this.n; i++) {
      this.#sent[i] += (typeof messages === "number" ? messages : messages[i]) * bytes;
    }
  }
}
