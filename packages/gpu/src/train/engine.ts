/**
 * Replicas of one network at work on the device: their rows of parameters, of whatever else the algorithm keeps, and of
 * statistics, the data sets, and the programs that train and try them. Several runs are side by side, `n` replicas each;
 * they share every dispatch and nothing else. What a step needs from outside (orders of images, numbers of passes, rounds)
 * is written slot by slot before a handful of steps is handed in.
 */

import type { PreparedClassification } from "@equitopo/nn";
import { high32 } from "equitopo/internal/random";
import type { Gpu } from "../device/adapter.ts";
import { readBack, readRows, storage, writeRows } from "../device/memory.ts";
import { compilerOf, type Kernel, type Program, submit } from "../device/program.ts";
import type { Matrices } from "../matrix/matrix.ts";
import { type Precision, planFor } from "../plan/precision.ts";
import type { Bound } from "../plan/stage.ts";
import { clipNumbers } from "../shader/by-row.ts";
import { images } from "../shader/images.ts";
import { loss } from "../shader/loss.ts";
import { NUMBERS } from "../shader/pass.ts";
import { averageRows, spreadParts, spreadRows } from "../shader/row.ts";
import { kernelsOf } from "./iteration.ts";
import { type Operation, textOf } from "./script.ts";
import { stepsOf } from "./steps.ts";

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
  readonly precision?: Precision;
  /** How products of matrices are spelled (matrix/matrix.ts); for tests. */
  readonly matrices?: Matrices;
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

export type Engine = Awaited<ReturnType<typeof createEngine>>;

export const Engine = { create: createEngine };

async function createEngine(options: EngineOptions) {
  const { runs, orders, lossRows, links, exchanges = 1, precision = "float32", matrices } = options;
  const gpu: Gpu & { readonly held: GPUBuffer[] } = { ...options.gpu, held: [] };
  const { device } = gpu;
  const [{ prepared }] = runs;
  const { settings, model, holdings, test } = prepared;
  const { n, batch, softmax, weightDecay, normalisation, augmentation } = settings;
  const replicas = n * runs.length;
  const replicaTable = storage(gpu, "the table of replicas", 8 * replicas);
  device.queue.writeBuffer(replicaTable, 0, replicaWords(runs, n));
  const plan = planFor(precision, { gpu, model, replicas, batch, replicaTable }, matrices);
  const { stride, statisticsStride, gradients } = plan;
  const newRows = () => made(() => storage(gpu, "rows of all replicas", replicas * stride));
  const [rows, spare] = [newRows(), newRows()];
  const kept = (what: string) => storage(gpu, what, replicas * statisticsStride);
  const tables = {
    order: storage(gpu, "the orders of images", SLOTS * orders * batch),
    numbers: storage(gpu, "the numbers of passes", SLOTS * NUMBERS * runs.length),
    span: storage(gpu, "the rounds", 2 * SLOTS * exchanges * replicas),
    links: storage(gpu, "the rounds", 2 * SLOTS * exchanges * links),
    losses: storage(gpu, "the losses", lossRows * replicas),
    squares: storage(gpu, "the distances", lossRows * runs.length * spreadParts(stride)),
  };
  const [x, averagedModels] = [rows(0), spare(0)];
  const statistics = kept("running statistics");
  const estimated = kept("estimated statistics");
  const steps = stepsOf(gpu, SLOTS);
  const labels = storage(gpu, "the labels", replicas * batch);
  const [trainSet, testSet] = [upload(gpu, holdings.train), upload(gpu, test)];
  const fill = (set: Uploaded, augmented: boolean) =>
    images({
      ...{ label: "images", shape: model.input, ...set, order: tables.order, orders, replicaTable },
      ...{ normalisation, out: plan.images.y, labels, replicas, batch },
      ...(plan.half === undefined ? {} : { half: plan.half }),
      augmentation: augmented ? augmentation : undefined,
    });
  const own: Bound = { parameters: x, statistics };
  const averaged: Bound = { parameters: averagedModels, statistics: estimated };
  const common = { replicas, stride };
  const average = { label: "average", ...common, nodes: n };
  const kernels: Readonly<Record<ProgramName, readonly Kernel[]>> = {
    gradient: [
      fill(trainSet, true),
      ...plan.forward("training", own),
      loss({ label: "loss", logits: plan.logits, labels, losses: tables.losses, replicas, batch, softmax }),
      ...plan.backward(own),
    ],
    spread: [spreadRows({ label: "distance", ...common, x, squares: tables.squares, nodes: n })],
    average: [averageRows({ ...average, x, y: averagedModels })],
    estimate: [fill(trainSet, true), ...plan.forward("training", averaged)],
    averageStatistics: [averageRows({ ...average, stride: statisticsStride, x: estimated, y: estimated })],
    prepareOwn: plan.prepare(own),
    prepareAveraged: plan.prepare(averaged),
    tryOwn: [fill(testSet, false), ...plan.forward("evaluation", own)],
    tryAveraged: [fill(testSet, false), ...plan.forward("evaluation", averaged)],
  };
  const { numbers, span, links: table } = tables;
  const iteration = {
    ...{ ...common, rows, spare, gradient: kernels.gradient, gradients, decay: weightDecay },
    ...{ runs: runs.length, numbers, replicaTable, span, links: table, exchanges },
    norms: once(() => storage(gpu, "the norms of rows", replicas * clipNumbers(stride))),
    matrices: once(() => marked(gpu, stride, model.matrices)),
  };
  const compiled = (list: readonly Kernel[]) => compilerOf(gpu).program(list, steps.buffer);
  const compiling = Object.entries(kernels).map(async ([name, list]) => [name, await compiled(list)] as const);
  const programs = Object.fromEntries(await Promise.all(compiling));
  const iterations = new Map<string, Promise<Program>>();
  const named = (program: ProgramName | Program) => (typeof program === "string" ? programs[program] : program);

  return {
    ...{ gpu, replicas, n, batch, orders, stride, statisticsStride, gradients, steps },
    ...{ x, statistics, estimated },
    /** The averaged models, which `average` leaves. */
    averaged: averagedModels,
    /** Rows of all replicas by their number (script.ts), made when they are first asked for; 0 are the models. */
    rows,

    /** Rows of all replicas, packed as on the CPU, to and from the device's. */
    writeRows(buffer: GPUBuffer, stride: number, packed: Float32Array, width: number, first = 0): void {
      writeRows(gpu, { buffer, stride, width, first }, packed);
    },

    readRows(buffer: GPUBuffer, stride: number, width: number, first = 0, count = replicas): Promise<Float32Array> {
      return readRows(gpu, { buffer, stride, width, first }, count);
    },

    /** Slot by slot, row by row, `batch` numbers each. */
    writeOrder(order: Uint32Array): void {
      device.queue.writeBuffer(tables.order, 0, order);
    },

    /** What passes take: for each slot NUMBERS rows with a number of every run (shader/pass.ts). */
    writeNumbers(taken: Float32Array): void {
      device.queue.writeBuffer(numbers, 0, taken);
    },

    writeLinks(spans: Uint32Array, all: Uint32Array): void {
      device.queue.writeBuffer(span, 0, spans);
      device.queue.writeBuffer(table, 0, all);
    },

    /** The program of an iteration, after which the rows `kept` are wanted. Compiled when it is first asked for. */
    iteration(operations: readonly Operation[], wanted: ReadonlySet<number>): Promise<Program> {
      const key = `${textOf(operations)}: ${[...wanted].join(" ")}`;
      const program = iterations.get(key) ?? compiled(kernelsOf(operations, { ...iteration, kept: wanted }));
      iterations.set(key, program);
      return program;
    },

    /** Hands in the programs, each with its slot, one after another. */
    submit(calls: readonly (readonly [ProgramName | Program, number])[]): void {
      submit(gpu, ...calls.map(([program, slot]) => [named(program), slot] as const));
    },

    profile: (program: ProgramName | Program) => named(program).profile(0),

    /** Forward passes in so many slots, whose rows of logits follow each other in `to` from number `at` on. */
    submitTrial(name: "tryOwn" | "tryAveraged", slots: number, to: GPUBuffer, at: number, row: number): void {
      const encoder = device.createCommandEncoder();
      for (let slot = 0; slot < slots; slot++) {
        const pass = encoder.beginComputePass();
        programs[name].encode(pass, slot);
        pass.end();
        encoder.copyBufferToBuffer(plan.logits.y, 0, to, 4 * (at + row * slot), 4 * row);
      }
      device.queue.submit([encoder.finish()]);
    },

    idle: () => device.queue.onSubmittedWorkDone(),

    async losses(count: number): Promise<Float32Array> {
      return new Float32Array(await readBack(gpu, tables.losses, 0, count * replicas));
    },

    /** sum_i ||x_i - mean||^2 of every run, row by row of what `spread` left. */
    async squares(count: number): Promise<Float64Array> {
      const parts = spreadParts(stride);
      const read = new Float32Array(await readBack(gpu, tables.squares, 0, count * runs.length * parts));
      const sums = new Float64Array(count * runs.length);
      for (let k = 0; k < read.length; k++) sums[Math.floor(k / parts)] += read[k];
      return sums;
    },

    close(): void {
      for (const buffer of gpu.held) buffer.destroy();
      steps.buffer.destroy();
    },
  };
}

/** Things by number, each made when it is first asked for. */
function made<T>(make: () => T): (number: number) => T {
  const things: T[] = [];
  return (number) => (things[number] ??= make());
}

/** The thing, made when it is first asked for. */
function once<T>(make: () => T): () => T {
  const things = made(make);
  return () => things(0);
}

/** A row that is 1 in these ranges and 0 elsewhere. */
function marked(gpu: Gpu, stride: number, ranges: readonly (readonly [from: number, to: number])[]): GPUBuffer {
  const row = new Float32Array(stride);
  for (const [from, to] of ranges) row.fill(1, from, to);
  const buffer = storage(gpu, "where matrices are", stride);
  gpu.device.queue.writeBuffer(buffer, 0, row);
  return buffer;
}

type Uploaded = ReturnType<typeof upload>;

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
