/** The record of a run as it grows, and a run as it is saved. */

import type { Counted } from "../algorithm/meter.ts";
import type { Rows } from "../round/round.ts";
import { prefixed, within } from "./course/parts.ts";

/** Values by name, in the order in which they were taken. */
export type Curves = Readonly<Record<string, readonly number[]>>;

/** What is recorded of a run: entry k of each list belongs to `updates[k]` updates done. Plain JSON. */
export interface Recorded {
  /** From 0 to the last update. */
  readonly updates: readonly number[];
  readonly metrics: Curves;
  /** Results of the problem's evaluation, if it has one; each of its updates is among those above. */
  readonly evaluations?: { readonly updates: readonly number[]; readonly metrics: Curves };
  /** Sent so far by the node that sent most. */
  readonly bytes: readonly number[];
  readonly messages: readonly number[];
  /** Of communication so far, under the latency-bandwidth model. */
  readonly seconds: readonly number[];
  /** Over a hierarchy: bytes sent to other groups so far by the group that sent most, that is, between machines. */
  readonly between?: readonly number[];
  /** Over topologies whose columns do not sum to 1: how far mixing alone moved the mean of the models, when simulated. */
  readonly meanDrift?: number;
}

/** A run up to some update, as plain numbers for a checkpoint (checkpoint.ts). */
export interface SavedRun {
  readonly updates: number;
  /** States, the problem's own rows, the meter and the record, by name. */
  readonly vectors: Readonly<Record<string, Rows>>;
}

const names = ["updates", "bytes", "messages", "seconds", "between", "evaluations.updates"];

/** A record that grows. Bytes, messages and seconds are those so far. */
export class Recorder {
  /** By the names that they have in a checkpoint. `between` stays empty if the topology has no groups. */
  readonly #lists: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));

  take(updates: number, metrics: Readonly<Record<string, number>>, sent: Counted): void {
    const { bytes, messages, seconds, between } = sent;
    this.#append({ updates, bytes, messages, seconds, ...(between === undefined ? {} : { between }) });
    this.#append(prefixed("metric.", metrics));
  }

  evaluate(updates: number, metrics: Readonly<Record<string, number>>): void {
    this.#append({ "evaluations.updates": updates, ...prefixed("evaluation.", metrics) });
  }

  /** The lists themselves, which go on growing. */
  get lists() {
    const { updates, bytes, messages, seconds, between, "evaluations.updates": evaluated } = this.#lists;
    const evaluations = { updates: evaluated, metrics: within("evaluation.", this.#lists) };
    return {
      ...{ updates, metrics: within("metric.", this.#lists), bytes, messages, seconds },
      ...(between.length === 0 ? {} : { between }),
      ...(evaluated.length === 0 ? {} : { evaluations }),
    };
  }

  /** As float64, so that a value that JSON cannot hold (of a run that diverged) is restored as it was. */
  state(): Record<string, Float64Array> {
    return Object.fromEntries(Object.entries(this.#lists).map(([name, list]) => [name, Float64Array.from(list)]));
  }

  restore(state: Readonly<Record<string, Float64Array>>): void {
    for (const [name, values] of Object.entries(state)) this.#lists[name] = [...values];
  }

  #append(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.#lists[name] ??= [];
      this.#lists[name].push(value);
    }
  }
}

/**
 * A simulated run between two updates, for programs that look at it while it goes on: live memory, to be read before the run continues. A class, to tell it from the other values that a run yields: answers of
 * the mixer.
 */
export class Snapshot {
  readonly done: number;
  /** The models, n rows of d. */
  readonly x: Rows;
  readonly record: Recorder["lists"];

  constructor(done: number, x: Rows, record: Recorder["lists"]) {
    this.done = done;
    this.x = x;
    this.record = record;
  }
}
