/**
 * What `equitopo rate` says before and while it works: an estimate of time and memory where either is worth a word, a refusal
 * where there is not the memory, and a bar whose end is the estimate.
 */

import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { InputError, type TopologySpec } from "equitopo";
import { type RateWork, watched } from "equitopo/rate";
import { rateWork } from "equitopo/topology";
import { showDuration } from "./duration.ts";
import { showBytes, showCount } from "./numbers.ts";
import { note } from "./output.ts";
import { type LineOptions, progressBar, progressOf } from "./progress.ts";

const [WORTH_SECONDS, WORTH_BYTES] = [3, 1e9];

/** What this process may take. */
export interface Room {
  readonly bytes: number;
  /** Of lists and objects, which the engine limits by itself. */
  readonly heap: number;
}

export function roomHere(): Room {
  return { bytes: totalmem(), heap: getHeapStatistics().heap_size_limit };
}

/** Refuses a topology that this machine has no room for, before anything of it is built. */
export function requireRoom(spec: TopologySpec, room = roomHere()): RateWork | undefined {
  const work = rateWork(spec);
  if (work === undefined) return undefined;
  const { bytes, heap } = work;
  const what = `${spec.name} of n = ${showCount(spec.n)}`;
  const remedy = smaller(spec, Math.min(room.bytes / bytes, room.heap / heap));
  if (bytes > room.bytes) {
    const rule = `${what} must fit into this machine's ${showBytes(room.bytes)} of memory`;
    throw new InputError(rule, `about ${showBytes(bytes)}`, remedy);
  }
  if (heap > room.heap) {
    const rule = `the lists of ${what} must fit into the ${showBytes(room.heap)} that Node grants them`;
    const more = `set NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.5 * heap) / 1e6)}`;
    throw new InputError(rule, `about ${showBytes(heap)}`, `${remedy}, or ${more}`);
  }
  return work;
}

/** Tells what is about to begin, where it is long or large; undefined where nobody has measured it. */
export function tellWork(spec: TopologySpec, options: { readonly quiet?: true }): RateWork | undefined {
  const work = requireRoom(spec);
  if (work === undefined) return undefined;
  const { bytes, seconds } = work;
  const isLarge = bytes > WORTH_BYTES;
  const words = [
    ...(seconds > WORTH_SECONDS || isLarge ? [`about ${showDuration(seconds)}`] : []),
    ...(isLarge ? [`${showBytes(bytes)} of memory`] : []),
  ];
  if (words.length > 0) note(`this takes ${words.join(" and ")}; Ctrl-C stops it`, options);
  return work;
}

/** A round n that would have room, with some to spare. */
function smaller({ n }: TopologySpec, share: number): string {
  const fits = 0.7 * share * n;
  const power = 10 ** Math.floor(Math.log10(Math.max(fits, 10)));
  return `try --n ${Math.max(2, Math.floor(fits / power) * power)}`;
}

export interface Meter {
  /** Computes under the eye of the bar. */
  run<T>(compute: () => T): T;
  end(): void;
}

/** A bar where the end is known; elsewhere how much was done. The stream and the clock are the terminal's where left out. */
export function rateMeter(label: string, work: RateWork | undefined, options: LineOptions): Meter {
  const { tell, end } = work === undefined ? countOf(label, options) : barOf(label, work.operations, options);
  let done = 0;
  const watch = (more: number) => {
    done += more;
    tell(done);
  };
  return { run: (compute) => watched(watch, compute), end };
}

function barOf(label: string, total: number, options: LineOptions) {
  const bar = progressBar({ ...options, label, total });
  // The estimate may be short: the last hundredth is for what it did not foresee.
  return { tell: (done: number) => bar.update(Math.min(done, 0.99 * total)), end: bar.end };
}

function countOf(label: string, options: LineOptions) {
  const line = progressOf(options);
  const words = (done: number) => `${label}: ${showCount(Math.round(done / 1e6))} million operations so far`;
  return { tell: (done: number) => line.step(() => words(done)), end: line.done };
}
