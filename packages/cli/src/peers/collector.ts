/**
 * The peers' rows as they come in, made into the same record as a simulation's. Metrics of an update are taken once every
 * peer has given its row for it, or is known to be past it or gone: then its last known row is used. The same is done if most
 * peers are so far ahead of the others (which may have been stopped) that their rows would fill the memory; if only a few are
 * far ahead, rows of these few are dropped instead. A peer that gave no row counts as the mean of those that did.
 */

import type { PeerFaults, RecordEvent } from "@equitopo/node/internal";
import { createProblem, createTopology, type ProblemContext, problems, type RunResult, type RunSpec } from "equitopo";
import { honestRows } from "equitopo/internal/faults";
import { defined } from "equitopo/internal/input";
import { Course, liarsOf, resultOf } from "equitopo/internal/run";
import type { RecordEntry } from "./record-log.ts";

/** What a simulation does not have. */
export interface RealPart {
  readonly transport: string;
  readonly peers: number;
  /** Summed over the peers; the longest wait is the longest of all. */
  readonly faults: PeerFaults;
  /** Peers that did not reach the end. */
  readonly lost: readonly number[];
}

export type RealResult = RunResult & { readonly real: RealPart };

export interface GatheredOptions {
  readonly onEvaluation?: (updates: number, metrics: Readonly<Record<string, number>>) => void;
  readonly onRecord?: (updates: number, metrics: Readonly<Record<string, number>>) => void;
  /** What was taken while nobody was gone: it may be kept, and gone on from. */
  readonly onEntry?: (entry: RecordEntry) => void;
  /** Bytes of rows that may wait for those of peers that are behind. Default 64 MiB. */
  readonly mostBytes?: number;
}

export function gather(run: RunSpec, context: ProblemContext = {}, options: GatheredOptions = {}) {
  const topology = createTopology(run.topology);
  const groups = topology.hierarchy?.groups;
  const problem = createProblem(run.problem, context);
  const { n, d, start } = problem;
  const course = new Course({ ...run, topology, problem, async: run.mode === "async" });
  /** Their rows count for nothing. */
  const liars = liarsOf(run);
  const rows = run.type === "float64" ? new Float64Array(n * d) : new Float32Array(n * d);
  if (start !== undefined) for (let i = 0; i < n; i++) rows.set(start, i * d);
  const coming = Array.from({ length: n }, (): RecordEvent[] => []);
  const last = new Array<RecordEvent | undefined>(n).fill(undefined);
  const absent = new Array<boolean>(n).fill(false);
  let next = 0;
  /** Whether somebody that was gone has been stood in for: then there is no going on bit for bit. */
  let stoodIn = false;
  /** What went wrong before an interruption. */
  let before: PeerFaults | undefined;

  const upTo = (entries: readonly RecordEntry[], updates: number) =>
    entries.filter((entry) => entry.updates <= updates && entry.updates < run.rounds);

  /** What the problem keeps of that name; nothing where it has none, and peers of a room may name anything. */
  const kept = (name: string): Float64Array | Float32Array | undefined => {
    const { state = {} } = problem;
    return Object.hasOwn(state, name) ? state[name] : undefined;
  };

  /** Whether what a peer keeps beside its row has the problem's lengths. */
  const fits = ({ state = {} }: RecordEvent) =>
    Object.entries(state).every(([name, row]) => (kept(name)?.length ?? n * row.length) === n * row.length);

  /** How many rows may wait. One of each peer always may, or nothing could be compared. */
  const most = Math.max(2 * n, (options.mostBytes ?? 2 ** 26) / (d * rows.BYTES_PER_ELEMENT));
  const waiting = () => coming.reduce((sum, list) => sum + list.length, 0);

  const advance = () => {
    const past = (list: readonly RecordEvent[]) => list.some(({ updates }) => updates >= next);
    while (course.recorded !== course.rounds) {
      const here = coming.map(past);
      if (!here.every((is, rank) => is || absent[rank])) {
        const ahead = coming.filter(({ length }) => length >= most / n);
        if (waiting() <= most || 2 * ahead.length <= n) return;
      }
      stoodIn ||= here.includes(false);
      take();
      next = course.next(next);
    }
  };

  /** Sets the peers' rows to what they reported up to so many updates. */
  const bring = (updates: number) => {
    coming.forEach((list, rank) => {
      while (list.length > 0 && list[0].updates <= updates) {
        const event = list.shift() as RecordEvent;
        rows.set(event.x, rank * d);
        for (const [name, row] of Object.entries(event.state ?? {})) kept(name)?.set(row, rank * row.length);
        last[rank] = event;
      }
    });
    if (!last.includes(undefined)) return;
    const heard = last.filter((event) => event !== undefined && liars?.marks[event.rank] !== 1) as RecordEvent[];
    if (heard.length === 0) return;
    const mean = rows.slice(0, d).map((_, k) => heard.reduce((sum, { x }) => sum + x[k], 0) / heard.length);
    for (const [rank, event] of last.entries()) if (event === undefined) rows.set(mean, rank * d);
  };

  const take = () => {
    bring(next);
    const top = (name: "bytes" | "messages" | "seconds") =>
      last.reduce((most, event) => Math.max(most, event?.[name] ?? 0), 0);
    const evaluation = evaluate();
    const entry: RecordEntry = {
      updates: next,
      metrics: problem.metrics(honestRows(rows, liars)),
      ...defined({ evaluation }),
      ...{ bytes: top("bytes"), messages: top("messages"), seconds: top("seconds") },
      ...defined({ between: between() }),
      faults: faultsOf(),
    };
    append(entry);
    options.onRecord?.(next, entry.metrics);
    if (evaluation !== undefined) options.onEvaluation?.(next, evaluation);
    if (!stoodIn) options.onEntry?.(entry);
  };

  /** If peers form groups: the most that any group has sent to others. */
  const between = () => {
    if (groups === undefined) return undefined;
    const sums = new Float64Array(groups.count);
    last.forEach((event, rank) => {
      sums[groups.of[rank]] += event?.between ?? 0;
    });
    return Math.max(...sums);
  };

  const append = ({ updates, metrics, evaluation, ...sent }: RecordEntry) => {
    course.take(updates, metrics, sent);
    if (evaluation !== undefined) course.evaluated(updates, evaluation);
  };

  /** What the peers that are there contribute to the evaluation after these updates, if there is one. */
  const evaluate = () => {
    const tallies = last.flatMap((event, rank) =>
      event?.tally === undefined || event.updates !== next || liars?.marks[rank] === 1 ? [] : [event.tally],
    );
    return tallies.length === 0 ? undefined : problem.evaluation?.summarise(tallies);
  };

  const faultsOf = (): PeerFaults => {
    const all = [before, ...last.map((event) => event?.faults)].filter((faults) => faults !== undefined);
    const sum = (name: keyof PeerFaults) => all.reduce((total, faults) => total + faults[name], 0);
    const names = ["missed", "voided", "late", "unsent", "reconnects", "refused", "waited"] as const;
    const sums = Object.fromEntries(names.map((name) => [name, sum(name)])) as Omit<PeerFaults, "longestWait">;
    return { ...sums, longestWait: Math.max(0, ...all.map(({ longestWait }) => longestWait)) };
  };

  return {
    /** Whether these entries are all that peers gave up to so many updates; the last of the run they give again. */
    covers(entries: readonly RecordEntry[], updates: number): boolean {
      const end = upTo(entries, updates).at(-1);
      return end !== undefined && course.next(end.updates) > Math.min(updates, run.rounds - 1);
    },

    /** Goes on where peers with so many updates do; answers the updates of the last entry that it has. */
    goOn(entries: readonly RecordEntry[], updates: number): number {
      const known = upTo(entries, updates);
      for (const entry of known) append(entry);
      const end = known[known.length - 1];
      before = end.faults;
      next = course.next(end.updates);
      return end.updates;
    },

    /** False if it cannot be a row of this run. */
    add(event: RecordEvent): boolean {
      const { rank, updates, x } = event;
      if (rank >= n || x.length !== d || updates > course.rounds || !fits(event)) return false;
      const list = coming[rank];
      // A peer that was started again goes on from where it was saved.
      while (list.length > 0 && list[list.length - 1].updates >= updates) list.pop();
      list.push(event);
      absent[rank] = false;
      advance();
      if (waiting() > most) {
        // Its newest row stays, which may be its last.
        coming.reduce((longest, one) => (one.length > longest.length ? one : longest)).splice(-2, 1);
        stoodIn = true;
      }
      return true;
    },

    /** Nothing more comes from that peer, unless it comes back. */
    gone(rank: number): void {
      absent[rank] = true;
      advance();
    },

    /** The problem's metric at one peer's last row, as if all held it. */
    metricOf(rank: number): number {
      const row = coming[rank].at(-1)?.x ?? rows.subarray(rank * d, (rank + 1) * d);
      const all = rows.slice();
      for (let i = 0; i < n; i++) all.set(row, i * d);
      return problem.metrics(all)[problems.get(run.problem.name).metric];
    },

    get complete(): boolean {
      return last.every((event) => event?.updates === run.rounds);
    },

    /** What the problem leaves beside the result: a trained model. */
    files: (): Readonly<Record<string, Uint8Array>> => problem.files?.(rows) ?? {},

    result(transport: string): RealResult {
      if ([...last, ...coming.flat()].every((event) => event === undefined))
        throw new Error("no peer reported a model, so there is no result");
      absent.fill(true);
      advance();
      bring(course.rounds);
      const lost = last.flatMap((event, rank) => (event?.updates === run.rounds ? [] : [rank]));
      return {
        ...resultOf(run, topology, course.lists, rows),
        real: { transport, peers: n, faults: faultsOf(), lost },
      };
    },

    close: () => problem.close?.(),
  };
}
