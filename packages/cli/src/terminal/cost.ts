/**
 * What a command is about to take: refused where the machine has less, announced where it is much. And a bar that shows
 * how far the work is, which also says how long shorter work takes.
 */

import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { InputError } from "equitopo";
import { watched } from "equitopo/rate";
import { showBytes, showCount } from "./numbers.ts";
import { note } from "./output.ts";
import { type LineOptions, progressBar, progressOf, showDuration } from "./progress.ts";

const [WORTH_SECONDS, WORTH_BYTES] = [3, 1e9];

/** Bytes: of everything, and of lists and objects, which the engine limits by itself. */
export interface Memory {
  readonly bytes: number;
  readonly heap: number;
}

export function roomHere(): Memory {
  return { bytes: totalmem(), heap: getHeapStatistics().heap_size_limit };
}

export function requireMemory(what: string, bytes: number, remedy: string, room = roomHere()): void {
  if (bytes <= room.bytes) return;
  const rule = `${what} must fit into this machine's ${showBytes(room.bytes)} of memory`;
  throw new InputError(rule, `about ${showBytes(bytes)}`, remedy);
}

/** The same for lists; `remedy` begins what could be done in place of giving Node more. */
export function requireHeap(what: string, bytes: number, remedy: string, room = roomHere()): void {
  if (bytes <= room.heap) return;
  const rule = `the lists of ${what} must fit into the ${showBytes(room.heap)} that Node grants them`;
  const more = `set NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.5 * bytes) / 1e6)}`;
  throw new InputError(rule, `about ${showBytes(bytes)}`, `${remedy}${more}`);
}

export function sayCost(
  { seconds = 0, bytes }: { readonly seconds?: number; readonly bytes: number },
  options: { readonly quiet?: true },
): void {
  const words = [
    ...(seconds > WORTH_SECONDS ? [showDuration(seconds)] : []),
    ...(bytes > WORTH_BYTES ? [`${showBytes(bytes)} of memory`] : []),
  ];
  if (words.length > 0) note(`this takes about ${words.join(" and ")}; Ctrl-C stops it`, options);
}

export type Meter = ReturnType<typeof workMeter>;

/** A bar where the operations are known; elsewhere how many were done so far. */
export function workMeter(label: string, operations: number | undefined, options: LineOptions) {
  const line = progressOf(options);
  const bar = operations ? progressBar({ ...options, label, total: operations }) : undefined;
  let done = 0;
  const watch = (more: number) => {
    done += more;
    // The estimate may be short: the last hundredth is for what it did not foresee.
    if (bar !== undefined) bar.update(Math.min(done, 0.99 * (operations as number)));
    else line.step(() => `${label}: ${showCount(Math.round(done / 1e6))} million operations so far`);
  };
  return {
    /** Computes while the bar shows the progress. */
    run: <T>(compute: () => T): T => watched(watch, compute),
    end: bar?.end ?? line.done,
  };
}
