/** What a peer of a spec is given, and what it reports of itself. */

import type { Exchanges } from "../../algorithm/algorithm.ts";
import { InputError } from "../../input/input.ts";
import type { Problem, ProblemContext } from "../../problem/problem.ts";
import type { Cadence } from "../../run/course/cadence.ts";
import type { PeerRecord } from "../../run/course/row-course.ts";
import type { RunSpec } from "../../run/spec.ts";
import type { Transport } from "../exchange/transport.ts";
import type { Historian } from "../history/history.ts";
import type { ExchangeTally } from "../mixing/encounters.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import type { Checkpoint, Store } from "./checkpoint.ts";
import type { Numbering } from "./numbering.ts";
import type { RunId } from "./run-id.ts";
import type { PeerStart } from "./start.ts";

export interface SpecPeerOptions {
  readonly transport: Transport;
  /** All peers give the same. */
  readonly runs: readonly RunSpec[];
  /** What problems are made with beside their specs: files, threads. */
  readonly context?: ProblemContext;
  /** Problems that no spec can name, made here; all peers must make the same. */
  readonly problemOf?: (run: RunSpec) => Problem;
  /** Milliseconds for one exchange. Default 10 s. */
  readonly timeout?: number;
  /** Milliseconds to wait for the others at the start. Default 60 s. */
  readonly startTimeout?: number;
  /** Which start of the runs this is, if the program that launches the peers knows it (run-id.ts); else drawn and agreed on. */
  readonly runId?: RunId;
  /** Goes on from its own checkpoint even where fewer than a majority came to the opening meeting. */
  readonly alone?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Combine-then-adapt: send while the gradient is computed. */
  readonly overlap?: boolean;
  /** Audit gradient tracking every so many iterations (repair.ts). */
  readonly audit?: number | undefined;
  /** Rounds behind the network from which a peer skips ahead. Default max(32, 2 n). */
  readonly maxLag?: number;
  /** Where it is kept, and after how many iterations each; about every 10 s where left out (save-points.ts). */
  readonly checkpoint?: { readonly store: Store; readonly every?: number | undefined } | undefined;
  /** Troubles that its rows do not show, for a person to read: checkpoints that cannot be saved, or are damaged. */
  readonly onTrouble?: (text: string) => void;
  /** Keeps what this peer sent, voted and applied (history.ts); nothing is hashed where nobody does. */
  readonly history?: Historian | undefined;
  /** While the opening meeting waits, about once a second: for whom. */
  readonly onWait?: (peer: number) => void;
  /** Once it is known where this peer begins. */
  readonly onStart?: (start: PeerStart) => void;
  readonly onRound?: (run: number, report: RoundReport) => void;
  /** After 0, every, 2 every, ..., rounds updates, as far as this peer did them; and at the end of each run. */
  readonly onRecord?: (record: PeerRecord) => void;
}

export interface PeerSummary {
  /** Iterations done, and those skipped because the network was ahead. */
  readonly done: number;
  readonly skipped: number;
  /** The iteration at which it came back, where it did not begin at the beginning. */
  readonly rejoined?: number;
  /** Encounters with partners in the rounds of all runs. */
  readonly exchanges: ExchangeTally;
  /** Partners none of whose vectors ever came. */
  readonly neverHeard: readonly number[];
  readonly start: PeerStart;
}

/** The text that all peers must agree on. */
export function specText({ runs, audit }: Pick<SpecPeerOptions, "runs" | "audit">): string {
  return JSON.stringify({ runs, audit: audit ?? 0 });
}

/** For each run the text that its checkpoints must agree on. */
export function runTexts({ runs, audit }: Pick<SpecPeerOptions, "runs" | "audit">): string[] {
  return runs.map((run) => specText({ runs: [run], audit }));
}

/** The number of peers that the runs are for: one n for all. */
export function peersOf(runs: readonly RunSpec[]): number {
  const sizes = [...new Set(runs.map((run) => run.problem.n))];
  if (sizes.length === 1) return sizes[0];
  throw new InputError("runs over real peers share one n", sizes.join(", "), "make a spec for each n");
}

/** A run with what this peer needs for it: its share of the problem, when things are due, and the numbers of its exchanges. */
export interface Stage {
  readonly run: number;
  readonly spec: RunSpec;
  readonly problem: Problem;
  readonly cadence: Cadence;
  readonly exchanges: Exchanges;
  readonly numbering: Numbering;
  /** The transport's round at which the run begins. */
  readonly base: number;
}

/** A run at the point from which this peer does it. */
export interface StageStart extends Stage {
  readonly rank: number;
  readonly id: RunId;
  /** The iteration to begin with, and what was saved of this run. */
  readonly first: number;
  readonly saved: Checkpoint | undefined;
}
