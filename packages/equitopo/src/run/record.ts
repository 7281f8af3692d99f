/** The lists of a record as they grow, and what a run must keep to go on bit for bit. */

import type { Meter } from "../algorithm/meter.ts";
import type { Rows } from "../round/round.ts";

/** Name -> values, one for each time they were taken. */
export type Curves = Readonly<Record<string, readonly number[]>>;

/** A run that has come so far: plain numbers, for a checkpoint (run/checkpoint.ts). */
export interface SavedRun {
  /** Updates done. */
  readonly updates: number;
  /** States, the problem's own rows, what the meter counted and what was recorded, by name. */
  readonly vectors: Readonly<Record<string, Rows>>;
}

/** What has been sent so far, by whoever counts it: a simulation's meter, or real peers. */
export type Counted = Readonly<Pick<Meter, "bytes" | "messages" | "seconds">> & {
  /** By the group that sent most to others, where nodes stand in groups. */
  readonly between?: number | undefined;
};

/** Entry k of each list belongs to updates[k]. Bytes, messages and seconds are those so far. */
export class Recorder {
  readonly updates: number[] = [];
  readonly metrics: Record<string, number[]> = {};
  readonly bytes: number[] = [];
  readonly messages: number[] = [];
  readonly seconds: number[] = [];
  /** Bytes between machines; empty where nodes stand in no groups. */
  readonly between: number[] = [];
  /** Evaluations have a cadence of their own; each of their updates is among those above. */
  readonly evaluations = { updates: [] as number[], metrics: {} as Record<string, number[]> };

  take(updates: number, metrics: Readonly<Record<string, number>>, sent: Counted): void {
    this.updates.push(updates);
    append(this.metrics, metrics);
    this.bytes.push(sent.bytes);
    this.messages.push(sent.messages);
    this.seconds.push(sent.seconds);
    if (sent.between !== undefined) this.between.push(sent.between);
  }

  evaluate(updates: number, metrics: Readonly<Record<string, number>>): void {
    this.evaluations.updates.push(updates);
    append(this.evaluations.metrics, metrics);
  }

  get lists() {
    const { updates, metrics, bytes, messages, seconds, between, evaluations } = this;
    return {
      ...{ updates, metrics, bytes, messages, seconds },
      ...(between.length === 0 ? {} : { between }),
      ...(evaluations.updates.length === 0 ? {} : { evaluations }),
    };
  }

  /** As float64, so that what is no number in JSON (a run that diverged) comes back as it was. */
  state(): Record<string, Float64Array> {
    const { updates, bytes, messages, seconds, between, metrics, evaluations } = this;
    const named = { updates, bytes, messages, seconds, between, "evaluations.updates": evaluations.updates };
    const all = { ...named, ...prefixed("metric.", metrics), ...prefixed("evaluation.", evaluations.metrics) };
    return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, Float64Array.from(values)]));
  }

  restore(state: Readonly<Record<string, Float64Array>>): void {
    const { "evaluations.updates": evaluated, updates, bytes, messages, seconds, between = [] } = state;
    this.updates.push(...updates);
    this.bytes.push(...bytes);
    this.messages.push(...messages);
    this.seconds.push(...seconds);
    this.between.push(...between);
    this.evaluations.updates.push(...evaluated);
    for (const [name, values] of Object.entries(within("metric.", state))) this.metrics[name] = [...values];
    for (const [name, values] of Object.entries(within("evaluation.", state))) {
      this.evaluations.metrics[name] = [...values];
    }
  }
}

function append(lists: Record<string, number[]>, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) {
    lists[name] ??= [];
    lists[name].push(value);
  }
}

/** The same entries under longer names. */
export function prefixed<T>(prefix: string, entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [prefix + name, value]));
}

/** The entries whose names begin so, without that beginning. */
export function within<T>(prefix: string, entries: Readonly<Record<string, T>>): Record<string, T> {
  const found = Object.entries(entries).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]));
}
