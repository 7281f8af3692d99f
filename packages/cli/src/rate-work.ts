/**
 * What `equitopo rate` says before and while it works: an estimate of time and memory where either is worth a word, a refusal
 * where there is not the memory, and a bar whose end is the estimate.
 */

import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { InputError, type Topology, type TopologySpec } from "equitopo";
import { type RateWork, watched } from "equitopo/rate";
import { rateWork, staticWork } from "equitopo/topology";
import { showDuration } from "./duration.ts";
import { tellMemory } from "./memory.ts";
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
  checkRoom(`${spec.name} of n = ${showCount(spec.n)}`, spec.n, work, room);
  return work;
}

type Memory = Pick<RateWork, "bytes" | "heap">;

/** The same of topologies that are there side by side, with what else is held for each; what is much is told. */
export function requireRoomForAll(
  specs: readonly TopologySpec[],
  perNode: number,
  options: { readonly quiet?: true },
  room = roomHere(),
): void {
  const all = specs.map(memoryOf).reduce((sum, one) => ({ bytes: sum.bytes + one.bytes, heap: sum.heap + one.heap }));
  const { n } = specs[0];
  const work = { bytes: all.bytes + perNode * n, heap: all.heap };
  checkRoom(specs.length === 1 ? specs[0].name : `${specs.length} topologies of n = ${showCount(n)}`, n, work, room);
  tellMemory(work.bytes, options);
}

/** Nothing of options that will be refused. */
function memoryOf(spec: TopologySpec): Memory {
  try {
    return rateWork(spec) ?? { bytes: 0, heap: 0 };
  } catch (error) {
    if (error instanceof InputError) return { bytes: 0, heap: 0 };
    throw error;
  }
}

function checkRoom(what: string, n: number, { bytes, heap }: Memory, room: Room): void {
  const remedy = smaller(n, Math.min(room.bytes / bytes, room.heap / heap));
  if (bytes > room.bytes) {
    const rule = `${what} must fit into this machine's ${showBytes(room.bytes)} of memory`;
    throw new InputError(rule, `about ${showBytes(bytes)}`, remedy);
  }
  if (heap > room.heap) {
    const rule = `the lists of ${what} must fit into the ${showBytes(room.heap)} that Node grants them`;
    const more = `set NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.5 * heap) / 1e6)}`;
    throw new InputError(rule, `about ${showBytes(heap)}`, `${remedy}, or ${more}`);
  }
}

/** Tells what is about to begin, where it is long or large; undefined where nobody has measured it. */
export function tellWork(spec: TopologySpec, options: { readonly quiet?: true }): RateWork | undefined {
  const work = requireRoom(spec);
  if (work !== undefined) sayWork(work, options);
  return work;
}

export function sayWork({ bytes, seconds }: RateWork, options: { readonly quiet?: true }): void {
  const isLarge = bytes > WORTH_BYTES;
  const words = [
    ...(seconds > WORTH_SECONDS || isLarge ? [`about ${showDuration(seconds)}`] : []),
    ...(isLarge ? [`${showBytes(bytes)} of memory`] : []),
  ];
  if (words.length > 0) note(`this takes ${words.join(" and ")}; Ctrl-C stops it`, options);
}

/** A round n that would have room, with some to spare. */
function smaller(n: number, share: number): string {
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
  return meterOf(tell, end);
}

function meterOf(tell: (done: number) => void, end: () => void): Meter {
  let done = 0;
  const watch = (more: number) => {
    done += more;
    tell(done);
  };
  return { run: (compute) => watched(watch, compute), end };
}

/** Operations of a trial, about a second; and steps of the iteration that a trial has in any case. */
const [TRIAL, TRIAL_STEPS] = [2e8, 60];

/**
 * For the rate of a graph of which only the edges are known. A trial first: many are done with it, and no estimate tells
 * those apart whose iteration ends after a few steps. Of others what is left is told.
 */
export function foreseenMeter(
  label: string,
  topology: Topology,
  options: LineOptions & { readonly quiet?: true },
): Meter {
  const work = staticWork(topology);
  if (work === undefined || isDone(topology, work)) return rateMeter(label, undefined, options);
  sayWork(work, options);
  return rateMeter(label, work, options);
}

/** Whether the rate was found within the trial; the topology remembers it. */
function isDone(topology: Topology, { operations }: RateWork): boolean {
  const enough = new Error("enough");
  const round = topology.round(0);
  const links = round.kind === "sparse" ? round.from.length : 0;
  let left = Math.max(TRIAL, 2 * TRIAL_STEPS * (links + 11 * topology.n));
  if (operations <= left) return true;
  try {
    watched(
      (more) => {
        left -= more;
        if (left < 0) throw enough;
      },
      () => topology.rate(),
    );
    return topology.symmetric;
  } catch (error) {
    if (error !== enough) throw error;
    return false;
  }
}

/** While a topology is made, and the round that all of it is. */
export function makingMeter(name: string, spec: TopologySpec | undefined, options: LineOptions): Meter {
  const building = spec === undefined ? 0 : (rateWork(spec)?.building ?? 0);
  const { tell, end } =
    building === 0 ? countOf(`making ${name}`, options) : barOf(`making ${name}`, building, options);
  return meterOf(tell, end);
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
