/**
 * Replicas of one network at work on the device: their rows of parameters, of whatever else the algorithm keeps, and of
 * statistics, the data sets, and the programs that train and try them. Several runs stand side by side, `n` replicas each;
 * they share every dispatch and nothing else. What a step needs from outside (orders of images, numbers of passes, rounds)
 * is written slot by slot before a handful of steps is handed in.
 */

import type { PreparedClassification } from "@equitopo/nn";
import { high32, streams } from "equitopo/random";
import type { Gpu } from "../device/adapter.ts";
import { readBack, storage } from "../device/memory.ts";
import { compilerOf, type Kernel, type Program } from "../device/program.ts";
import type { Spelling } from "../matrix/matrix.ts";
import { type Precision, planFor } from "../plan/precision.ts";
import type { Bound } from "../plan/stage.ts";
import { images } from "../shader/images.ts";
import { loss } from "../shader/loss.ts";
import { NUMBERS } from "../shader/pass.ts";
import { averageRows, spreadParts, spreadRows } from "../shader/row.ts";
import { kernelsOf } from "./iteration.ts";
import { type Operation, textOf } from "./script.ts";
import { Steps } from "./steps.ts";

/** Steps that are handed in together. */
export const SLOTS = 8;

export interface EngineRun {
  readonly prepared: PreparedClassification;
  /** The row of orders of the run's node 0: runs of one seed see the same images. */
  readonly order: number;
}

export interface EngineOptions {
  readonly gpu: Gpu;
  /** All of one network, batch size, number of nodes and data set. */
  readonly runs: readonly EngineRun[];
  /** Rows of orders, n for each different order. */
  readonly orders: number;
  /** Rows of losses that are kept between two readings. */
  readonly lossRows: number;
  /** Exchanges of an iteration at most (default 1), and links that each of them has at most (links.ts). */
  readonly exchanges?: number;
  readonly links: number;
  /** Default float32. */
  readonly precision?: Precision;
  /** How products of matrices are spelled (matrix/matrix.ts); for tests. */
  readonly spelling?: Spelling;
}

type Order = "train" | "test";

export class Engine {
  readonly gpu: Gpu;
  readonly replicas: number;
  readonly n: number;
  readonly batch: number;
  readonly classes: number;
  readonly stride: number;
  readonly statisticsStride: number;
  readonly x: GPUBuffer;
  readonly gradients: GPUBuffer;
  readonly statistics: GPUBuffer;
  readonly estimated: GPUBuffer;
  readonly steps: Steps;
  readonly #built: Built;
  readonly #iterations = new Map<string, Promise<Program>>();
  readonly #tables: Built["tables"];
  readonly #logits: GPUBuffer;
  readonly #programs: Readonly<Record<ProgramName, Program>>;
  readonly #orders: number;
  readonly #runs: number;

  static async create(given: EngineOptions): Promise<Engine> {
    const options = { ...given, gpu: { ...given.gpu, held: [] } };
    const built = build(options);
    const compiler = compilerOf(options.gpu);
    const entries = Object.entries(built.programs) as [ProgramName, readonly Kernel[]][];
    const programs = await Promise.all(
      entries.map(async ([name, kernels]) => [name, await compiler.program(kernels, built.steps.buffer)] as const),
    );
    return new Engine(options, built, Object.fromEntries(programs) as Record<ProgramName, Program>);
  }

  private constructor(options: EngineOptions, built: Built, programs: Readonly<Record<ProgramName, Program>>) {
    const { settings, model } = options.runs[0].prepared;
    this.gpu = options.gpu;
    this.n = settings.n;
    this.replicas = settings.n * options.runs.length;
    this.batch = settings.batch;
    this.classes = model.classes;
    this.stride = built.stride;
    this.statisticsStride = built.statisticsStride;
    this.x = built.x;
    this.gradients = built.gradients;
    this.statistics = built.statistics;
    this.estimated = built.estimated;
    this.steps = built.steps;
    this.#built = built;
    this.#tables = built.tables;
    this.#logits = built.logits;
    this.#programs = programs;
    this.#orders = options.orders;
    this.#runs = options.runs.length;
  }

  /** Rows of all replicas, packed as on the CPU, to and from the device's. */
  writeRows(buffer: GPUBuffer, stride: number, rows: Float32Array, width: number, first = 0): void {
    const padded = new Float32Array((rows.length / width) * stride);
    for (let k = 0; k * width < rows.length; k++) padded.set(rows.subarray(k * width, (k + 1) * width), k * stride);
    this.gpu.device.queue.writeBuffer(buffer, 4 * first * stride, padded);
  }

  async readRows(
    buffer: GPUBuffer,
    stride: number,
    width: number,
    first = 0,
    count = this.replicas,
  ): Promise<Float32Array> {
    const padded = new Float32Array(await readBack(this.gpu, buffer, first * stride, count * stride));
    const rows = new Float32Array(count * width);
    for (let k = 0; k < count; k++) rows.set(padded.subarray(k * stride, k * stride + width), k * width);
    return rows;
  }

  /** Slot by slot, row by row, `batch` numbers each. */
  writeOrder(order: Uint32Array): void {
    this.gpu.device.queue.writeBuffer(this.#tables.order, 0, order);
  }

  get orders(): number {
    return this.#orders;
  }

  /** What passes take: for each slot NUMBERS rows with a number of every run (shader/pass.ts). */
  writeNumbers(numbers: Float32Array): void {
    this.gpu.device.queue.writeBuffer(this.#tables.numbers, 0, numbers);
  }

  /** Rows of all replicas by their number (script.ts), made when they are first asked for; 0 are the models. */
  rows(number: number): GPUBuffer {
    return this.#built.rows(number);
  }

  /** The program of an iteration, after which the rows `kept` are wanted. Compiled when it is first asked for. */
  iteration(operations: readonly Operation[], kept: ReadonlySet<number>): Promise<Program> {
    const key = `${textOf(operations)}: ${[...kept].join(" ")}`;
    const found = this.#iterations.get(key);
    if (found !== undefined) return found;
    const made = compilerOf(this.gpu).program(this.#built.iteration(operations, kept), this.steps.buffer);
    this.#iterations.set(key, made);
    return made;
  }

  writeLinks(span: Uint32Array, links: Uint32Array): void {
    this.gpu.device.queue.writeBuffer(this.#tables.span, 0, span);
    this.gpu.device.queue.writeBuffer(this.#tables.links, 0, links);
  }

  /** Hands in the programs, each with its slot, one after another. */
  submit(calls: readonly (readonly [ProgramName | Program, number])[]): void {
    const encoder = this.gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const [program, slot] of calls) this.#program(program).encode(pass, slot);
    pass.end();
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  profile(program: ProgramName | Program) {
    return this.#program(program).profile(0);
  }

  #program(program: ProgramName | Program): Program {
    return typeof program === "string" ? this.#programs[program] : program;
  }

  /** Forward passes in so many slots, whose logits follow each other in `to` from row `at` on, a row a slot. */
  submitTrial(name: "tryOwn" | "tryAveraged", slots: number, to: GPUBuffer, at: number): void {
    const encoder = this.gpu.device.createCommandEncoder();
    const size = 4 * this.replicas * this.batch * this.classes;
    for (let slot = 0; slot < slots; slot++) {
      const pass = encoder.beginComputePass();
      this.#programs[name].encode(pass, slot);
      pass.end();
      encoder.copyBufferToBuffer(this.#logits, 0, to, size * (at + slot), size);
    }
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  idle(): Promise<undefined> {
    return this.gpu.device.queue.onSubmittedWorkDone();
  }

  async losses(rows: number): Promise<Float32Array> {
    return new Float32Array(await readBack(this.gpu, this.#tables.losses, 0, rows * this.replicas));
  }

  /** sum_i ||x_i - mean||^2 of every run, row by row of what `spread` left. */
  async squares(rows: number): Promise<Float64Array> {
    const parts = spreadParts(this.stride);
    const read = new Float32Array(await readBack(this.gpu, this.#tables.squares, 0, rows * this.#runs * parts));
    const sums = new Float64Array(rows * this.#runs);
    for (let k = 0; k < read.length; k++) sums[Math.floor(k / parts)] += read[k];
    return sums;
  }

  /** Frees all memory on the device. */
  close(): void {
    for (const buffer of this.gpu.held ?? []) buffer.destroy();
    this.steps.buffer.destroy();
  }

  /** The averaged models, which `average` left. */
  averaged(): GPUBuffer {
    return this.#built.spare(0);
  }
}

export type ProgramName =
  | "gradient"
  | "spread"
  | "average"
  | "estimate"
  | "averageStatistics"
  | "prepareOwn"
  | "prepareAveraged"
  | "tryOwn"
  | "tryAveraged";

type Built = ReturnType<typeof build>;

function build(options: EngineOptions) {
  const { gpu, runs, orders, lossRows, links, exchanges = 1, precision = "float32", spelling } = options;
  const [{ prepared }] = runs;
  const { settings, model, holdings, test } = prepared;
  const { n, batch, softmax, weightDecay, normalisation, augmentation } = settings;
  const replicas = n * runs.length;
  const steps = new Steps(gpu, SLOTS);
  const replicaTable = storage(gpu, "the table of replicas", 8 * replicas);
  gpu.device.queue.writeBuffer(replicaTable, 0, replicaWords(runs, n));
  const plan = planFor(precision, { gpu, model, replicas, batch, replicaTable }, spelling);
  const { stride, statisticsStride, gradients } = plan;
  const rows = made(() => storage(gpu, "rows of all replicas", replicas * stride));
  const spare = made(() => storage(gpu, "rows of all replicas", replicas * stride));
  const [x, ahead] = [rows(0), spare(0)];
  const kept = (what: string) => storage(gpu, what, replicas * statisticsStride);
  const [statistics, estimated] = [kept("running statistics"), kept("estimated statistics")];
  const tables = {
    order: storage(gpu, "the orders of images", SLOTS * orders * batch),
    numbers: storage(gpu, "the numbers of passes", SLOTS * NUMBERS * runs.length),
    span: storage(gpu, "the rounds", 2 * SLOTS * exchanges * replicas),
    links: storage(gpu, "the rounds", 2 * SLOTS * exchanges * links),
    losses: storage(gpu, "the losses", lossRows * replicas),
    squares: storage(gpu, "the distances", lossRows * runs.length * spreadParts(stride)),
  };
  const labels = storage(gpu, "the labels", replicas * batch);
  const fill = (which: Order, augmented: boolean) => {
    const { data, bytes, answers } = resident[which];
    return images({
      ...{ label: "images", shape: model.input, data, bytes, answers, order: tables.order, orders, replicaTable },
      ...{ normalisation, out: plan.images.y, labels, replicas, batch },
      ...(plan.half === undefined ? {} : { half: plan.half }),
      augmentation:
        augmented && augmentation !== undefined ? { ...augmentation, stream: streams.augmentation } : undefined,
    });
  };
  const resident = { train: upload(gpu, holdings.train), test: upload(gpu, test) };
  const own: Bound = { parameters: x, statistics };
  const averaged: Bound = { parameters: ahead, statistics: estimated };
  const common = { replicas, stride };
  const programs = {
    gradient: [
      fill("train", true),
      ...plan.forward("training", own),
      loss({ ...{ label: "loss", logits: plan.logits, labels, losses: tables.losses, replicas, batch, softmax } }),
      ...plan.backward(own),
    ],
    spread: [spreadRows({ label: "distance", ...common, x, squares: tables.squares, nodes: n })],
    average: [averageRows({ label: "average", ...common, x, y: ahead, nodes: n })],
    estimate: [fill("train", true), ...plan.forward("training", averaged)],
    averageStatistics: [
      averageRows({
        ...{ label: "average", replicas, stride: statisticsStride, nodes: n, x: estimated, y: estimated },
      }),
    ],
    prepareOwn: plan.prepare(own),
    prepareAveraged: plan.prepare(averaged),
    tryOwn: [fill("test", false), ...plan.forward("evaluation", own)],
    tryAveraged: [fill("test", false), ...plan.forward("evaluation", averaged)],
  };
  const iteration = (operations: readonly Operation[], wanted: ReadonlySet<number>) =>
    kernelsOf(operations, {
      ...{ ...common, rows, spare, gradient: programs.gradient, gradients, decay: weightDecay, runs: runs.length },
      ...{ numbers: tables.numbers, replicaTable, span: tables.span, links: tables.links, exchanges, kept: wanted },
    });
  return {
    ...{ steps, stride, statisticsStride, x, rows, spare, gradients, statistics, estimated },
    ...{ tables, programs, iteration },
    logits: plan.logits.y,
  };
}

/** Things by number, each made when it is first asked for. */
function made<T>(make: () => T): (number: number) => T {
  const things: T[] = [];
  return (number) => (things[number] ??= make());
}

/** A data set on the device: images as they are, labels as words. */
function upload(gpu: Gpu, { images: given, labels }: PreparedClassification["test"]) {
  const bytes = given instanceof Uint8Array;
  const data = storage(gpu, "the data set", bytes ? Math.ceil(given.length / 4) : given.length);
  const whole = given.byteLength - (given.byteLength % 4);
  gpu.device.queue.writeBuffer(data, 0, given.buffer, given.byteOffset, whole);
  if (whole < given.byteLength) {
    const rest = new Uint8Array(4);
    rest.set(new Uint8Array(given.buffer, given.byteOffset + whole, given.byteLength - whole));
    gpu.device.queue.writeBuffer(data, whole, rest);
  }
  const answers = storage(gpu, "the labels", labels.length);
  gpu.device.queue.writeBuffer(answers, 0, Uint32Array.from(labels));
  return { data, bytes, answers };
}

/** Two entries a replica, as shader/philox.ts says. */
function replicaWords(runs: readonly EngineRun[], n: number): Uint32Array {
  const words = new Uint32Array(8 * n * runs.length);
  runs.forEach(({ prepared: { settings }, order }, run) => {
    for (let node = 0; node < n; node++) {
      const { seed } = settings;
      words.set([run, node, n, order + node, seed % 4294967296, high32(seed)], 8 * (run * n + node));
    }
  });
  return words;
}
