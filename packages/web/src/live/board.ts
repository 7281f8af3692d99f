/**
 * Where everything stands that a studio watches, put together from what it was told: the same on the server, which hands
 * it to a page that comes late, and in the page. Memory is bounded: the oldest source makes room for a new one, and a
 * curve that grows too long keeps every second point.
 */

import type { LiveEvent, LiveFaults, LiveLine, LiveRound, LiveSpec } from "./event.ts";

export interface LivePeer extends LiveRound {
  readonly faults: LiveFaults | null;
  readonly state: "running" | "ended" | "gone";
}

/** Entry k of each metric belongs to updates[k]. */
export interface LiveCurves {
  readonly updates: number[];
  readonly metrics: Record<string, number[]>;
}

/** Plain JSON. */
export interface LiveSource {
  readonly source: string;
  title: string;
  /** By whom the runs are done: the simulator, peers over TCP, ... */
  how: string;
  runs: readonly LiveSpec[];
  /** By rank. */
  readonly peers: Record<number, LivePeer>;
  /** Of each simulated run, how much is done. */
  readonly shares: Record<number, number>;
  readonly curves: Record<number, LiveCurves>;
  /** SHA-256 of the final rows of the runs that are finished. */
  readonly stateHashes: Record<number, string>;
  over: boolean;
}

const mostSources = 8;
const mostPoints = 2000;

export class LiveBoard {
  #sources: Map<string, LiveSource>;

  constructor(sources: readonly LiveSource[] = []) {
    this.#sources = new Map(sources.map((one) => [one.source, one]));
  }

  /** The newest last. */
  get sources(): readonly LiveSource[] {
    return [...this.#sources.values()];
  }

  /** O(1), but for a curve that is thinned. */
  take({ source, event }: LiveLine): void {
    const known = this.#sources.get(source);
    // Whoever comes back after the studio was started anew begins again: until then nothing is known of its runs.
    if (event.kind === "begin") this.#begin(source, event, known);
    else if (known !== undefined) change(known, event);
  }

  #begin(source: string, { title, how, runs }: LiveEvent & { kind: "begin" }, known: LiveSource | undefined): void {
    // The peers of a network tell it one after another.
    if (known !== undefined && !known.over) {
      Object.assign(known, { title, how, runs });
      return;
    }
    this.#sources.delete(source);
    this.#sources.set(source, {
      ...{ source, title, how, runs, peers: {}, shares: {}, curves: {}, stateHashes: {}, over: false },
    });
    for (const key of [...this.#sources.keys()].slice(0, -mostSources)) this.#sources.delete(key);
  }
}

function change(source: LiveSource, event: Exclude<LiveEvent, { kind: "begin" }>): void {
  if ("run" in event && event.run >= source.runs.length) return;
  switch (event.kind) {
    case "round": {
      const { kind: _, ...round } = event;
      const faults = source.peers[event.rank]?.faults ?? null;
      source.peers[event.rank] = { ...round, faults, state: "running" };
      return;
    }
    case "faults": {
      const peer = source.peers[event.rank];
      if (peer !== undefined) source.peers[event.rank] = { ...peer, faults: event.faults };
      return;
    }
    case "gone":
    case "end": {
      const peer = source.peers[event.rank];
      const state = event.kind === "end" ? "ended" : "gone";
      // One that has ended also goes.
      if (peer !== undefined && peer.state !== "ended") source.peers[event.rank] = { ...peer, state };
      return;
    }
    case "share":
      source.shares[event.run] = Math.min(1, event.share);
      return;
    case "metrics":
      source.curves[event.run] ??= { updates: [], metrics: {} };
      addPoint(source.curves[event.run], event.updates, event.metrics);
      return;
    case "result":
      source.stateHashes[event.run] = event.stateHash;
      source.shares[event.run] = 1;
      return;
    case "over":
      source.over = true;
  }
}

function addPoint({ updates, metrics }: LiveCurves, at: number, values: Readonly<Record<string, number>>): void {
  updates.push(at);
  for (const [name, value] of Object.entries(values)) {
    metrics[name] ??= [];
    // A metric that begins late (an evaluation) has gaps before.
    while (metrics[name].length < updates.length - 1) metrics[name].push(Number.NaN);
    metrics[name].push(value);
  }
  if (updates.length <= mostPoints) return;
  for (const list of [updates, ...Object.values(metrics)]) {
    const kept = list.filter((_, k) => k % 2 === 0);
    list.splice(0, list.length, ...kept);
  }
}
