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
import type { RunSpec } from "../run/spec.ts";
import { oneAsyncRun } from "./async/one-run.ts";
import { loadCheckpoints, type Spent, type Store } from "./checkpoint.ts";
import { Encounters, type ExchangeTally } from "./encounters.ts";
import { evaluationLength } from "./evaluate.ts";
import { gather, gatherSteps, usualLag } from "./gather.ts";
import type { Historian } from "./history.ts";
import { Numbering } from "./numbering.ts";
import { oneRun } from "./one-run.ts";
import type { RoundReport } from "./peer.ts";
import { rememberedPeer } from "./remembered.ts";
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
}

/** A place in the runs as one number: more than any run has iterations. */
const runLength = 2 ** 40;

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
  const { transport, runs, signal, checkpoint, startTimeout = 60_000 } = options;
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
    const own = saved.length === 0 ? { run: 0, first: 0 } : { run: saved[0].run, first: saved[0].round };
    // Without a checkpoint there may just be others that were quicker to begin; with one, a few rounds tell that they run.
    const slack = saved.length === 0 ? usualLag(n) : 4;
    const { base, numbering } = stages[own.run];
    const over = (reached: number) => reached > base + numbering.of(own.first + slack);
    const value = saved.length === 0 ? Number.NEGATIVE_INFINITY : -(own.run * runLength + own.first);
    const { met, greatest } = await gather(transport, { first: 0, timeout: startTimeout, value, over, signal });
    // All begin together; or all come back together, and go on from the least of what they have saved last.
    const least = greatest === Number.NEGATIVE_INFINITY ? 0 : -greatest;
    const place = met ? { run: Math.floor(least / runLength), first: least % runLength } : findNetwork(options, stages);
    const rejoined = met && least === 0 ? undefined : place.first;
    const exact = saved.find(({ run, round }) => run === place.run && round === place.first);
    const known = exact ?? saved.find(({ run }) => run === place.run);
    let done = 0;
    let skipped = 0;
    const encounters = new Encounters();
    const onRound = (run: number, report: RoundReport) => {
      encounters.note(report);
      options.onRound?.(run, report);
    };
    for (const stage of stages.slice(place.run)) {
      const [first, from] = stage.run === place.run ? [place.first, known] : [0, undefined];
      const work = stage.spec.mode === "async" ? oneAsyncRun : oneRun;
      const count = await work({ ...options, onRound }, { ...stage, rank, first, saved: from });
      done += count;
      skipped += stage.spec.rounds - first - count;
      const meeting = stage.base + stage.numbering.length;
      await gather(transport, { first: meeting, timeout: options.timeout ?? defaultTimeout, signal });
    }
    const { tally, neverHeard } = encounters;
    return { done, skipped, ...(rejoined === undefined ? {} : { rejoined }), exchanges: tally, neverHeard };
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
  const steps = gatherSteps(n);
  let next = steps;
  return runs.map((spec, run) => {
    const problem = problemOf?.(spec) ?? createProblem(spec.problem, { ...context, first: rank, count: 1 });
    const { rounds } = spec;
    const { evaluation, epoch } = problem;
    const numbering = new Numbering({
      yields: createAlgorithm(spec.algorithm, problem).exchanges.yields,
      rounds,
      evaluation: evaluation && { every: spec.evaluate ?? epoch ?? rounds, length: evaluationLength(evaluation, n) },
    });
    const base = next;
    next += numbering.length + steps;
    return { run, spec, problem, numbering, base };
  });
}

/** The iteration after the one that the others have reached. */
function findNetwork({ transport, runs }: SpecPeerOptions, stages: readonly Stage[]): { run: number; first: number } {
  const round = transport.reached;
  const run = stages.findLastIndex(({ base }) => base <= round);
  const first = stages[run].numbering.iteration(round - stages[run].base) + 1;
  if (first >= runs[run].rounds && run + 1 < runs.length) return { run: run + 1, first: 0 };
  return { run, first: Math.min(first, runs[run].rounds) };
}
