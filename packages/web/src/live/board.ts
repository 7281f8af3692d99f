/**
 * The state of everything that a studio watches, put together from the lines of live/event.ts: the same on the server,
 * which hands it to a page that is opened during a run, and in the page. Memory is bounded: the oldest source makes room for a
 * new one, a curve that grows too long keeps every second point (the more curves a source has, the sooner), and of peers and
 * names beyond so many nothing is kept.
 */

import type { LiveEvent, LiveFaults, LiveLine, LiveRound, LiveSpec } from "./event.ts";

export type LivePeer = LiveRound & {
  readonly faults: LiveFaults | null;
  readonly state: "running" | "ended" | "gone";
};

/** Entry k of the values belongs to updates[k]. */
export interface LiveCurve {
  readonly updates: number[];
  readonly values: number[];
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
  /** Of each run, by metric. */
  readonly curves: Record<number, Record<string, LiveCurve>>;
  /** SHA-256 of the final rows of the runs that are finished. */
  readonly stateHashes: Record<number, string>;
  over: boolean;
}

const mostSources = 8;
/** Of one source. */
const [mostPeers, mostCurves] = [1000, 4096];
/** Points of one curve, and of all curves of a source; a curve may always have a few. */
const [mostPoints, pointsOfAll, fewPoints] = [2000, 200_000, 50];

export class LiveBoard {
  #sources: Map<string, LiveSource>;

  constructor(sources: readonly LiveSource[] = []) {
    this.#sources = new Map(sources.map((one) => [one.source, one]));
  }

  /** The newest last. */
  get sources(): readonly LiveSource[] {
    return [...this.#sources.values()];
  }

  /** Takes over what another board has: the same sources are replaced. */
  adopt(sources: readonly LiveSource[]): void {
    for (const one of sources) this.#add(one);
  }

  /** O(1), but for a curve that is thinned. */
  take({ source, event }: LiveLine): void {
    const known = this.#sources.get(source);
    // Nothing is known of a source before its "begin", which it sends again where the studio was restarted.
    if (event.kind === "begin") this.#begin(source, event, known);
    else if (known !== undefined) change(known, event);
  }

  #begin(source: string, { title, how, runs }: LiveEvent & { kind: "begin" }, known: LiveSource | undefined): void {
    // Every peer of a network sends its "begin".
    if (known !== undefined && !known.over) Object.assign(known, { title, how, runs });
    else this.#add({ source, title, how, runs, peers: {}, shares: {}, curves: {}, stateHashes: {}, over: false });
  }

  #add(one: LiveSource): void {
    this.#sources.delete(one.source);
    this.#sources.set(one.source, one);
    for (const key of [...this.#sources.keys()].slice(0, -mostSources)) this.#sources.delete(key);
  }
}

function change(source: LiveSource, event: Exclude<LiveEvent, { kind: "begin" }>): void {
  if ("run" in event && event.run >= source.runs.length) return;
  switch (event.kind) {
    case "round": {
      const { kind: _, ...round } = event;
      const known = source.peers[event.rank];
      if (known === undefined && Object.keys(source.peers).length >= mostPeers) return;
      const faults = known?.faults ?? null;
      source.peers[event.rank] = { ...round, faults, state: "running" };
      return;
    }
    case "faults":
    case "gone":
    case "end": {
      const peer = source.peers[event.rank];
      if (peer === undefined) return;
      // One that has ended also goes.
      const end = event.kind === "end" || peer.state === "ended" ? "ended" : "gone";
      const change = event.kind === "faults" ? { faults: event.faults } : { state: end };
      source.peers[event.rank] = { ...peer, ...change } as LivePeer;
      return;
    }
    case "share":
      source.shares[event.run] = Math.min(1, event.share);
      return;
    case "metrics": {
      source.curves[event.run] ??= {};
      const curves = source.curves[event.run];
      for (const [name, value] of Object.entries(event.metrics)) {
        if (!Object.hasOwn(curves, name)) {
          if (curvesOf(source) >= mostCurves) continue;
          counted.set(source, curvesOf(source) + 1);
          curves[name] = { updates: [], values: [] };
        }
        addPoint(source, curves[name], event.updates, value);
      }
      return;
    }
    case "result":
      source.stateHashes[event.run] = event.stateHash;
      source.shares[event.run] = 1;
      return;
    case "over":
      source.over = true;
  }
}

/** How many curves a source has: counted once, since who sends new names without end would have them counted each time. */
const counted = new WeakMap<LiveSource, number>();
const curvesOf = (source: LiveSource): number =>
  counted.get(source) ?? Object.values(source.curves).reduce((sum, byName) => sum + Object.keys(byName).length, 0);

function addPoint(source: LiveSource, { updates, values }: LiveCurve, at: number, value: number): void {
  updates.push(at);
  values.push(value);
  if (updates.length <= fewPoints) return;
  if (updates.length <= Math.max(fewPoints, Math.min(mostPoints, pointsOfAll / curvesOf(source)))) return;
  for (const list of [updates, values]) {
    const kept = list.filter((_, k) => k % 2 === 0);
    list.splice(0, list.length, ...kept);
  }
}
