/**
 * One seat's part in the runs, over any transport: the problem made from the spec and the seat's data, the peer of the
 * library, and what the page is told of it. Knows no room, no server and no connection.
 */

import { encodeNpy } from "@equitopo/nn";
import { createProblem, type Files, type RunSpec, stateHash } from "equitopo";
import {
  largestSent,
  type PeerEvent,
  type PeerRecord,
  type PeerSummary,
  reportingPeer,
  type Store,
  type Transport,
} from "equitopo/peer";
import { Digest } from "./digest.ts";
import { type Measured, measured } from "./measured.ts";
import type { Result, RunFacts, Standing } from "./shown.ts";

export interface TrainingOptions {
  readonly runs: readonly RunSpec[];
  readonly rank: number;
  readonly files: Files | undefined;
}

/** What is known of the runs before the first round, and problems made for this seat alone. */
export class Training {
  readonly facts: readonly RunFacts[];
  /** Bytes of the largest vector that anybody has reason to send: more is refused. */
  readonly largest: number;
  readonly #runs: readonly RunSpec[];
  readonly #measured: ReadonlyMap<RunSpec, Measured>;
  readonly #digest = new Digest();
  readonly #hashes: string[] = [];
  readonly #files: Record<string, Uint8Array<ArrayBuffer>> = {};

  /** Reads the seat's data: what is wrong with it is said here, before anybody waits for this seat. */
  constructor({ runs, rank, files }: TrainingOptions) {
    this.#runs = runs;
    const context = { first: rank, count: 1, ...(files === undefined ? {} : { files }) };
    this.#measured = new Map(runs.map((run) => [run, measured(createProblem(run.problem, context))]));
    this.largest = largestSent(runs, context).bytes;
    this.facts = runs.map((run) => ({
      label: `${run.problem.name} by ${run.algorithm.name} over ${run.topology.name}`,
      rounds: run.rounds,
      measure: (this.#measured.get(run) as Measured).measure,
    }));
  }

  /** Runs to the end; `tell` hears what the server may be told. */
  async run(
    options: {
      readonly transport: Transport;
      readonly store: Store | undefined;
      readonly timeout: number;
      readonly startTimeout: number;
      readonly signal: AbortSignal;
    },
    tell: (event: PeerEvent) => void,
  ): Promise<Result> {
    const { store, ...rest } = options;
    const summary = await reportingPeer(
      {
        ...rest,
        runs: this.#runs,
        problemOf: (run) => (this.#measured.get(run) as Measured).problem,
        ...(store === undefined ? {} : { checkpoint: { store } }),
        onRound: (run, report) => this.#digest.round(run, report, this.#of(run).value()),
        onRecord: (record) => this.#record(record),
      },
      tell,
    );
    return this.#result(summary);
  }

  /** What is new for the page, with the transport's counts; undefined where nothing is. */
  standing({ counts }: Pick<Transport, "counts">): Standing | undefined {
    return this.#digest.take(counts);
  }

  #of(run: number): Measured {
    return this.#measured.get(this.#runs[run]) as Measured;
  }

  #record({ run, updates, x, tally }: PeerRecord): void {
    if (tally !== undefined) this.#digest.evaluated(updates, tally);
    if (updates < this.#runs[run].rounds) return;
    this.#hashes[run] = stateHash(x);
    const { problem } = this.#of(run);
    const files = problem.files?.(x) ?? { "model.npy": encodeNpy({ shape: [x.length], values: x }) };
    for (const [name, bytes] of Object.entries(files)) {
      this.#files[this.#runs.length === 1 ? name : `run-${run}-${name}`] = new Uint8Array(bytes);
    }
  }

  #result({ done, skipped, rejoined }: PeerSummary): Result {
    return {
      ...{ rowHashes: this.#hashes, done, skipped, files: this.#files },
      ...(rejoined === undefined ? {} : { rejoined }),
    };
  }
}
