/**
 * The peers' rows as they come in, made into the same record as a simulation's. Metrics of an update are taken once every
 * peer has given its row for it, or is known to be past it or gone: then its last known row stands for it.
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
} from "equitopo";
import { Recorder, resultOf } from "equitopo/run";

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

type OnEvaluation = (updates: number, metrics: Readonly<Record<string, number>>) => void;

export class Gathered {
  readonly #run: RunSpec;
  readonly #problem: Problem;
  readonly #rows: Float64Array | Float32Array;
  readonly #coming: RecordEvent[][];
  readonly #last: (RecordEvent | undefined)[];
  readonly #gone: boolean[];
  readonly #record: Recorder;
  readonly #onEvaluation: OnEvaluation;
  #next = 0;

  constructor(run: RunSpec, context: ProblemContext = {}, onEvaluation: OnEvaluation = () => {}) {
    this.#run = run;
    this.#onEvaluation = onEvaluation;
    this.#problem = createProblem(run.problem, context);
    const { n, d, start } = this.#problem;
    this.#rows = run.type === "float64" ? new Float64Array(n * d) : new Float32Array(n * d);
    if (start !== undefined) for (let i = 0; i < n; i++) this.#rows.set(start, i * d);
    this.#coming = Array.from({ length: n }, () => []);
    this.#last = new Array(n).fill(undefined);
    this.#gone = new Array(n).fill(false);
    const most = (name: "bytes" | "messages" | "seconds") =>
      this.#last.reduce((top, event) => Math.max(top, event?.[name] ?? 0), 0);
    this.#record = new Recorder({
      get bytes() {
        return most("bytes");
      },
      get messages() {
        return most("messages");
      },
      get seconds() {
        return most("seconds");
      },
    });
  }

  add(event: RecordEvent): void {
    if (event.rank >= this.#coming.length || event.x.length !== this.#problem.d) return;
    this.#coming[event.rank].push(event);
    this.#gone[event.rank] = false;
    this.#advance();
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
    const past = (list: readonly RecordEvent[], rank: number) =>
      list.some(({ updates }) => updates >= this.#next) || this.#gone[rank];
    while (this.#record.updates.at(-1) !== rounds && this.#coming.every(past)) {
      this.#take();
      this.#next = this.#after(this.#next);
    }
  }

  #take(): void {
    const { d } = this.#problem;
    this.#coming.forEach((list, rank) => {
      while (list.length > 0 && list[0].updates <= this.#next) {
        const event = list.shift() as RecordEvent;
        this.#rows.set(event.x, rank * d);
        for (const [name, row] of Object.entries(event.state ?? {})) {
          this.#problem.state?.[name]?.set(row, rank * row.length);
        }
        this.#last[rank] = event;
      }
    });
    this.#record.take(this.#next, this.#problem.metrics(this.#rows));
    this.#evaluate();
  }

  /** What the peers that are there contribute to the evaluation after these updates, if there is one. */
  #evaluate(): void {
    const tallies = this.#last.flatMap((event) =>
      event?.tally === undefined || event.updates !== this.#next ? [] : [event.tally],
    );
    if (tallies.length === 0 || this.#problem.evaluation === undefined) return;
    const found = this.#problem.evaluation.summarise(tallies);
    this.#record.evaluate(this.#next, found);
    this.#onEvaluation(this.#next, found);
  }

  result(transport: string): RealResult {
    this.#gone.fill(true);
    this.#advance();
    const topology = createTopology(this.#run.topology);
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
    const all = this.#last.flatMap((event) => (event === undefined ? [] : [event.faults]));
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
