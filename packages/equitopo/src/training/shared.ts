/**
 * The memory that all threads of a training run share, and what stands where in it. Nothing in it is ever grown: growing
 * would detach views, and memory that nobody touches costs address space only.
 *
 *   losses | round | logits of the evaluation | statistics, n + 1 rows | averaged model | workspaces | rows, rows, ...
 */

import type { Dataset } from "../data/dataset.ts";
import type { Shares } from "../data/split.ts";
import { InputError } from "../input/input.ts";
import { type NnMemory, vectorBytes } from "../kernel/nn.ts";
import type { Model } from "../nn/model.ts";
import type { Rows } from "../round/round.ts";
import type { TrainingSpec } from "./spec.ts";

declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => NnMemory;
};

/** Byte offsets. */
export interface Places {
  readonly losses: number;
  /** The round as lists: own weights, first edge of each node, and for every edge weight and sender. */
  readonly self: number;
  readonly weights: number;
  readonly start: number;
  readonly from: number;
  readonly logits: number;
  readonly statistics: number;
  readonly average: number;
  readonly workspaces: number;
  readonly workspaceBytes: number;
  readonly rows: number;
}

/** What every thread is given. */
export interface Shared {
  readonly memory: NnMemory;
  /** generation, threads still at work, command, next task, failures. */
  readonly ints: Int32Array;
  /** The arguments of the command. */
  readonly args: Float64Array;
  readonly n: number;
  readonly spec: TrainingSpec;
  readonly shares: Shares | null;
  readonly train: Dataset;
  readonly test: Dataset;
  readonly places: Places;
}

const PAGE = 65536;
const MAX_BYTES = 65535 * PAGE;
/** Sets of n rows that an algorithm may ask for, the spares of mixing included; none needs more than ten. */
const SETS = 16;

export interface Plan {
  readonly places: Places;
  readonly memory: NnMemory;
}

export function sharedMemory(model: Model, n: number, batch: number, tests: number, threads: number): Plan {
  let end = 64;
  const take = (bytes: number) => {
    const at = end;
    end += vectorBytes(bytes);
    return at;
  };
  const workspaceBytes = model.workspaceBytes(batch);
  const places: Places = {
    losses: take(8 * n),
    self: take(8 * n),
    weights: take(8 * n * n),
    start: take(4 * (n + 1)),
    from: take(4 * n * n),
    logits: take(4 * (n + 1) * tests * model.classes),
    statistics: take(4 * (n + 1) * model.statisticsCount),
    average: take(4 * model.parameterCount),
    workspaces: take(threads * workspaceBytes),
    workspaceBytes,
    rows: end,
  };
  const set = vectorBytes(4 * n * model.parameterCount);
  const bytes = Math.min(MAX_BYTES, end + SETS * set);
  if (bytes < end + 4 * set) {
    throw new InputError(`${n} replicas of ${model.name} need less than 4 GiB`, end + 4 * set, "use fewer nodes");
  }
  const pages = Math.ceil(bytes / PAGE);
  return { places, memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }) };
}

/** Rows from the rest of the memory, one set after another. */
export function rowAllocator({ memory, places }: Plan, n: number): (width: number) => Rows {
  let end = places.rows;
  return (width) => {
    const at = end;
    end += vectorBytes(4 * n * width);
    if (end > memory.buffer.byteLength) {
      throw new InputError("the algorithm's rows must fit into 4 GiB", end, "use fewer nodes or a smaller network");
    }
    return new Float32Array(memory.buffer, at, n * width);
  };
}

/** The same data where all threads can read it. */
export function shareDataset(data: Dataset): Dataset {
  const images =
    data.images instanceof Uint8Array
      ? new Uint8Array(new SharedArrayBuffer(data.images.length))
      : new Float32Array(new SharedArrayBuffer(4 * data.images.length));
  images.set(data.images);
  const labels = new Int32Array(new SharedArrayBuffer(4 * data.labels.length));
  labels.set(data.labels);
  return { ...data, images, labels };
}
