/**
 * The peers' rows as they come in, made into the same record as a simulation's. Metrics of an update are taken once every
 * peer has given its row for it, or is known to be past it or gone: then its last known row stands for it. So it does where a
 * peer is so far behind (it may have been stopped) that the others' rows would fill the memory.
 */

import type { PeerFaults, RecordEvent } from "@equitopo/node";
import {
  createProblem,
  createTopology,
  type Problem,
  type ProblemContext,
  problems,
  type RunResult,
  type RunSpec,
  type Topology,
} from "equitopo";
import { honestRows, type Liars } from "equitopo/faults";
import { liarsOf, Recorder, resultOf } from "equitopo/run";
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

export class Gathered {
  readonly #run: RunSpec;
  readonly #problem: Problem;
  /** Their rows count for nothing. */
  readonly #liars: Liars | undefined;
  readonly #rows: Float64Array | Float32Array;
  readonly #coming: RecordEvent[][];
  readonly #last: (RecordEvent | undefined)[];
  readonly #gone: boolean[];
  readonly #record = new Recorder();
  readonly #options: GatheredOptions;
  readonly #topology: Topology;
  readonly #groups: NonNullable<Topology["hierarchy"]>["groups"] | undefined;
  #next = 0;
  /** Whether somebody that was gone has been stood in for: then there is no going on bit for bit. */
  #stoodIn = false;
  /** What went wrong before an interruption. */
  #before: PeerFaults | undefined;

  constructor(run: RunSpec, context: ProblemContext = {}, options: GatheredOptions = {}) {
    this.#run = run;
    this.#options = options;
    this.#topology = createTopology(run.topology);
    this.#groups = this.#topology.hierarchy?.groups;
    this.#problem = createProblem(run.problem, context);
    this.#liars = liarsOf(run);
    const { n, d, start } = this.#problem;
    this.#rows = run.type === "float64" ? new Float64Array(n * d) : new Float32Array(n * d);
    if (start !== undefined) for (let i = 0; i < n; i++) this.#rows.set(start, i * d);
    this.#coming = Array.from({ length: n }, () => []);
    this.#last = new Array(n).fill(undefined);
    this.#gone = new Array(n).fill(false);
  }

  /** Whether these entries are all that peers gave up to so many updates; the last of the run they give again. */
  covers(entries: readonly RecordEntry[], updates: number): boolean {
    const last = this.#upTo(entries, updates).at(-1);
    return last !== undefined && this.#after(last.updates) > Math.min(updates, this.#run.rounds - 1);
  }

  /** Goes on where peers with so many updates do; answers the updates of the last entry that it has. */
  goOn(entries: readonly RecordEntry[], updates: number): number {
    const known = this.#upTo(entries, updates);
    for (const entry of known) this.#append(entry);
    const last = known[known.length - 1];
    this.#before = last.faults;
    this.#next = this.#after(last.updates);
    return last.updates;
  }

  #upTo(entries: readonly RecordEntry[], updates: number): RecordEntry[] {
    return entries.filter((entry) => entry.updates <= updates && entry.updates < this.#run.rounds);
  }

  add(event: RecordEvent): void {
    if (event.rank >= this.#coming.length || event.x.length !== this.#problem.d || !this.#fits(event)) return;
    this.#coming[event.rank].push(event);
    this.#gone[event.rank] = false;
    this.#advance();
  }

  /** What the problem keeps of that name; nothing where it has none, and peers of a room may name anything. */
  #kept(name: string): Float64Array | Float32Array | undefined {
    const { state = {} } = this.#problem;
    return Object.hasOwn(state, name) ? state[name] : undefined;
  }

  /** Whether what a peer keeps beside its row has the problem's lengths. */
  #fits({ state = {} }: RecordEvent): boolean {
    const { n } = this.#problem;
    return Object.entries(state).every(
      ([name, row]) => (this.#kept(name)?.length ?? n * row.length) === n * row.length,
    );
  }

  /** Nothing more comes from that peer, unless it comes back. */
  gone(rank: number): void {
    this.#gone[rank] = true;
    this.#advance();
  }

  /** The problem's metric at one peer's last row, as if all held it. */
  metricOf(rank: number): number {
    const { n, d, metrics } = this.#problem;
    const row = this.#coming[rank].at(-1)?.x ?? this.#rows.subarray(rank * d, (rank + 1) * d);
    const all = this.#rows.slice();
    for (let i = 0; i < n; i++) all.set(row, i * d);
    return metrics.call(this.#problem, all)[problems.get(this.#run.problem.name).metric];
  }

  /** Whether every peer has given its row after the last update. */
  get complete(): boolean {
    return this.#last.every((event) => event?.updates === this.#run.rounds);
  }

  close(): void {
    this.#problem.close?.();
  }

  /** The next updates after so many at which peers give their rows. */
  #after(updates: number): number {
    const { rounds, every, evaluate = this.#problem.epoch ?? rounds } = this.#run;
    const next = (step: number) => (Math.floor(updates / step) + 1) * step;
    const times = [rounds, next(every), ...(this.#problem.evaluation === undefined ? [] : [next(evaluate)])];
    return Math.min(...times);
  }

  #advance(): void {
    const { rounds } = this.#run;
    const past = (list: readonly RecordEvent[]) => list.some(({ updates }) => updates >= this.#next);
    while (this.#record.updates.at(-1) !== rounds) {
      const here = this.#coming.map(past);
      if (!here.every((is, rank) => is || this.#gone[rank]) && !this.#full()) return;
      this.#stoodIn ||= here.includes(false);
      this.#take();
      this.#next = this.#after(this.#next);
    }
  }

  /** Whether no more rows may wait. Of each peer one always may, or nothing could be compared. */
  #full(): boolean {
    const { mostBytes = 2 ** 26 } = this.#options;
    const waiting = this.#coming.reduce((sum, list) => sum + list.length, 0);
    const most = Math.max(2 * this.#coming.length, mostBytes / (this.#problem.d * this.#rows.BYTES_PER_ELEMENT));
    return waiting > most;
  }

  #take(): void {
    const { d } = this.#problem;
    this.#coming.forEach((list, rank) => {
      while (list.length > 0 && list[0].updates <= this.#next) {
        const event = list.shift() as RecordEvent;
        this.#rows.set(event.x, rank * d);
        for (const [name, row] of Object.entries(event.state ?? {})) {
          this.#kept(name)?.set(row, rank * row.length);
        }
        this.#last[rank] = event;
      }
    });
    const most = (name: "bytes" | "messages" | "seconds") =>
      this.#last.reduce((top, event) => Math.max(top, event?.[name] ?? 0), 0);
    const evaluation = this.#evaluate();
    const between = this.#between();
    const entry: RecordEntry = {
      updates: this.#next,
      metrics: this.#problem.metrics(honestRows(this.#rows, this.#liars)),
      ...(evaluation === undefined ? {} : { evaluation }),
      ...{ bytes: most("bytes"), messages: most("messages"), seconds: most("seconds") },
      ...(between === undefined ? {} : { between }),
      faults: this.#faults(),
    };
    this.#append(entry);
    this.#options.onRecord?.(this.#next, entry.metrics);
    if (evaluation !== undefined) this.#options.onEvaluation?.(this.#next, evaluation);
    if (!this.#stoodIn) this.#options.onEntry?.(entry);
  }

  /** What the group that sent most of it sent to others, where peers stand in groups. */
  #between(): number | undefined {
    if (this.#groups === undefined) return undefined;
    const sums = new Float64Array(this.#groups.count);
    for (let rank = 0; rank < this.#last.length; rank++) sums[this.#groups.of[rank]] += this.#last[rank]?.between ?? 0;
    return Math.max(...sums);
  }

  #append({ updates, metrics, evaluation, ...sent }: RecordEntry): void {
    this.#record.take(updates, metrics, sent);
    if (evaluation !== undefined) this.#record.evaluate(updates, evaluation);
  }

  /** What the peers that are there contribute to the evaluation after these updates, if there is one. */
  #evaluate(): Readonly<Record<string, number>> | undefined {
    const tallies = this.#last.flatMap((event, rank) =>
      event?.tally === undefined || event.updates !== this.#next || this.#liars?.marks[rank] === 1 ? [] : [event.tally],
    );
    return tallies.length === 0 ? undefined : this.#problem.evaluation?.summarise(tallies);
  }

  /** What the problem leaves beside the result: a trained model. */
  files(): Readonly<Record<string, Uint8Array>> {
    return this.#problem.files?.(this.#rows) ?? {};
  }

  result(transport: string): RealResult {
    this.#gone.fill(true);
    this.#advance();
    const topology = this.#topology;
    return {
      ...resultOf(this.#run, topology, this.#record.lists, this.#rows),
      real: {
        transport,
        peers: topology.n,
        faults: this.#faults(),
        lost: this.#last.flatMap((event, rank) => (event?.updates === this.#run.rounds ? [] : [rank])),
      },
    };
  }

  #faults(): PeerFaults {
    const now = this.#last.flatMap((event) => (event === undefined ? [] : [event.faults]));
    const all = this.#before === undefined ? now : [this.#before, ...now];
    const sum = (name: keyof PeerFaults) => all.reduce((total, faults) => total + faults[name], 0);
    return {
      missed: sum("missed"),
      voided: sum("voided"),
      late: sum("late"),
      unsent: sum("unsent"),
      reconnects: sum("reconnects"),
      refused: sum("refused"),
      waited: sum("waited"),
      longestWait: Math.max(0, ...all.map(({ longestWait }) => longestWait)),
    };
  }
}
