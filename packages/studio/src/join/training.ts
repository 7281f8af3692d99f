/**
 * One seat's part in the runs, over any transport: the problem made from the spec and the seat's data, the peer of the
 * library, and what the page shows of it. Knows no room, no server and no connection.
 */

import { encodeNpy, lastLoss } from "@equitopo/nn/internal";
import { createProblem, type Files, type Problem, type Rows, type RunSpec, stateHash } from "equitopo";
import {
  largestSent,
  type PeerEvent,
  type PeerRecord,
  type RoundReport,
  reportingPeer,
  type Store,
  type Transport,
} from "equitopo/peer";
import { digest } from "./digest.ts";

/** What is known of the runs before the first round, and the problems made for this one seat. */
export type Training = ReturnType<typeof trainingOf>;

/** SHA-256 of this seat's last row of each run, what was done of the runs, and the files to take away. */
export type Result = Awaited<ReturnType<Training["run"]>>;

/** Reads the seat's data: throws here if something is wrong with it, before others wait for this seat. */
export function trainingOf(runs: readonly RunSpec[], rank: number, given: Files | undefined) {
  const context = { first: rank, count: 1, ...(given === undefined ? {} : { files: given }) };
  const measures = runs.map(({ problem }) => measureOf(createProblem(problem, context)));
  const news = digest();
  const rowHashes: string[] = [];
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};

  function record({ run, updates, x, tally }: PeerRecord): void {
    if (tally !== undefined) news.evaluated(updates, tally);
    if (updates < runs[run].rounds) return;
    rowHashes[run] = stateHash(x);
    const written = measures[run].problem.files?.(x) ?? { "model.npy": encodeNpy({ shape: [x.length], values: x }) };
    for (const [name, bytes] of Object.entries(written)) {
      files[runs.length === 1 ? name : `run-${run}-${name}`] = new Uint8Array(bytes);
    }
  }

  return {
    /** What the page says of each run before it begins; `measure` is what the curve shows. */
    facts: runs.map(({ problem, algorithm, topology, rounds }, run) => {
      const label = `${problem.name} by ${algorithm.name} over ${topology.name}`;
      return { label, rounds, measure: measures[run].name };
    }),
    /** Bytes of the largest vector in the runs: larger ones are refused. */
    largest: largestSent(runs, context).bytes,
    /** Runs to the end; `tell` is called with the events that the server may get. */
    async run({ store, ...options }: RunOptions, tell: (event: PeerEvent) => void) {
      const peer = {
        ...options,
        runs,
        problemOf: (run: RunSpec) => measures[runs.indexOf(run)].problem,
        ...(store === undefined ? {} : { checkpoint: { store } }),
        onRound: (run: number, report: RoundReport) => news.round(run, report, measures[run].value()),
        onRecord: record,
      };
      const { done, skipped, rejoined } = await reportingPeer(peer, tell);
      return { rowHashes, done, skipped, files, ...(rejoined === undefined ? {} : { rejoined }) };
    },
    /** What is new for the page, with the transport's counts; undefined if nothing is new. */
    standing: ({ counts }: Pick<Transport, "counts">) => news.take(counts),
  };
}

interface RunOptions {
  readonly transport: Transport;
  readonly store: Store | undefined;
  readonly timeout: number;
  readonly startTimeout: number;
  readonly signal: AbortSignal;
}

/**
 * What a seat can say of its problem after every step, beside its model: the loss of its last batch, or how steep it still
 * is, the norm of its last gradient. `problem` is to be run in the problem's place (the same numbers come out of it);
 * `value` is not a number before the first step.
 * O(d) a step where the problem keeps no losses, and nothing where it does.
 */
function measureOf(problem: Problem) {
  const losses = problem.state?.["losses"];
  if (losses !== undefined) return { problem, name: "Loss", value: () => lastLoss(losses) };
  let norm = Number.NaN;
  const gradient = (x: Rows, t: number, out: Rows, first: number, count: number) => {
    problem.gradient(x, t, out, first, count);
    let sum = 0;
    for (const value of out) sum += value * value;
    norm = Math.sqrt(sum);
  };
  return { problem: { ...problem, gradient }, name: "Gradient", value: () => norm };
}
