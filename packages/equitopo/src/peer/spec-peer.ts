/**
 * One peer of the runs that a spec describes: from names to its own row. It meets the others, does run after run, keeps a
 * checkpoint, and after a crash comes back where the network is. On the transport the rounds are numbered through:
 * a meeting, then for each run its exchanges and another meeting, so that a round number alone says where the others are.
 */

import { createAlgorithm } from "../algorithm/registry.ts";
import { InputError } from "../input/input.ts";
import type { Problem, ProblemContext, Tally } from "../problem/problem.ts";
import { createProblem } from "../problem/registry.ts";
import type { Rows } from "../round/round.ts";
import { contextOf, liarsOf, requirePlayable } from "../run/liars.ts";
import type { RunSpec } from "../run/spec.ts";
import { createTopology } from "../topology/registry.ts";
import { oneAsyncRun } from "./async/one-run.ts";
import { begin, type PeerStart, startTrouble } from "./begin.ts";
import { loadCheckpoints, type Spent, type Store } from "./checkpoint.ts";
import { Encounters, type ExchangeTally } from "./encounters.ts";
import { evaluationLength } from "./evaluate.ts";
import { gather, gatherSteps, openingPasses } from "./gather.ts";
import { stepsOf } from "./group-mixing.ts";
import type { Historian } from "./history.ts";
import { Numbering } from "./numbering.ts";
import { oneRun } from "./one-run.ts";
import { agreedId } from "./opening.ts";
import type { RoundReport } from "./peer.ts";
import { rememberedPeer } from "./remembered.ts";
import { type RunId, writeRunId } from "./run-id.ts";
import { steadyStore } from "./steady-store.ts";
import { defaultTimeout, type Transport } from "./transport.ts";

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
  /** Which start of the runs this is, where whoever launches the peers knows it (run-id.ts); drawn and agreed on otherwise. */
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
  /** What a person should know of this peer and its rows do not tell: checkpoints that cannot be saved, or are damaged. */
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

/** A row on its way to a report. Read x at once: the memory goes on being used. */
export interface PeerRecord extends Spent {
  readonly run: number;
  readonly updates: number;
  readonly x: Rows;
  /** What the problem keeps for this peer (Problem.state), where it keeps anything. */
  readonly state?: Readonly<Record<string, Rows>>;
  /** What this peer contributes to the evaluation after these updates, where there is one. */
  readonly tally?: Tally;
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

/** A run with what this peer needs for it: its share of the problem, and where its exchanges stand. */
export interface Stage {
  readonly run: number;
  readonly spec: RunSpec;
  readonly problem: Problem;
  readonly numbering: Numbering;
  /** The transport's round at which the run begins. */
  readonly base: number;
}

/** Runs the peer to the end of the last run. Rejects when the signal aborts. */
export function runSpecPeer(options: SpecPeerOptions): Promise<PeerSummary> {
  return options.history === undefined ? runStages(options) : rememberedPeer(options, options.history, runStages);
}

async function runStages(given: SpecPeerOptions): Promise<PeerSummary> {
  const options = { ...given, checkpoint: steadyCheckpoint(given) };
  const { transport, runs, signal, checkpoint } = options;
  // This peer's number in the spec, whatever becomes of ranks when others die.
  const { rank } = transport;
  const n = peersOf(runs);
  if (transport.size !== n) throw new InputError(`the spec is for ${n} peers`, transport.size, `start ${n}`);
  const saved =
    checkpoint === undefined ? [] : await loadCheckpoints(checkpoint.store, runTexts(options), rank, options.onTrouble);
  const stages = stagesOf(options, rank, n);
  for (const { spec, base } of stages) {
    if (spec.mode === "async") transport.streams?.reserve({ first: base, end: base + spec.rounds });
  }
  try {
    const { start, known } = await begin(options, stages, saved);
    const trouble = startTrouble(start);
    if (trouble !== undefined) options.onTrouble?.(trouble);
    options.onStart?.(start);
    let { id } = start;
    let done = 0;
    let skipped = 0;
    const encounters = new Encounters();
    const onRound = (run: number, report: RoundReport) => {
      encounters.note(report);
      options.onRound?.(run, report);
    };
    for (const stage of stages.slice(start.run)) {
      const [first, from] = stage.run === start.run ? [start.round, known] : [0, undefined];
      const work = stage.spec.mode === "async" ? oneAsyncRun : oneRun;
      const count = await work({ ...options, onRound }, { ...stage, rank, id, first, saved: from });
      done += count;
      skipped += stage.spec.rounds - first - count;
      const meeting = stage.base + stage.numbering.length;
      const word = writeRunId(id);
      const { words } = await gather(transport, {
        ...{ first: meeting, timeout: options.timeout ?? defaultTimeout, word, signal },
      });
      // One that came late learns here which start of the runs it takes part in.
      id = agreedId(words, id);
    }
    const { tally, neverHeard } = encounters;
    const rejoined = start.from === "anew" ? {} : { rejoined: start.round };
    return { done, skipped, ...rejoined, exchanges: tally, neverHeard, start };
  } finally {
    for (const { problem } of stages) problem.close?.();
  }
}

/** A place to save that may fail without ending the peer. */
function steadyCheckpoint({ checkpoint, onTrouble }: SpecPeerOptions): SpecPeerOptions["checkpoint"] {
  return checkpoint && { ...checkpoint, store: steadyStore(checkpoint.store, onTrouble ?? (() => {})) };
}

/** The runs one after the other, a meeting before each and after the last. */
function stagesOf({ runs, context, problemOf }: SpecPeerOptions, rank: number, n: number): Stage[] {
  let next = gatherSteps(n, openingPasses);
  for (const spec of runs) requirePlayable(liarsOf(spec));
  return runs.map((spec, run) => {
    const problem =
      problemOf?.(spec) ?? createProblem(spec.problem, contextOf(spec, { ...context, first: rank, count: 1 }));
    const { rounds } = spec;
    const { evaluation, epoch } = problem;
    const numbering = new Numbering({
      yields: createAlgorithm(spec.algorithm, problem).exchanges.yields,
      rounds,
      steps: stepsOf(createTopology(spec.topology)),
      evaluation: evaluation && { every: spec.evaluate ?? epoch ?? rounds, length: evaluationLength(evaluation, n) },
    });
    const base = next;
    next += numbering.length + gatherSteps(n);
    return { run, spec, problem, numbering, base };
  });
}
