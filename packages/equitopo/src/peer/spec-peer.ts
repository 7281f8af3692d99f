/**
 * One peer of the runs that a spec describes: from names to its own row. It meets the others, does run after run, keeps a
 * checkpoint, and after a crash comes back where the network is. On the transport the rounds are numbered through:
 * a meeting, then for each run its exchanges and another meeting, so that a round number alone says where the others are.
 */

import type { Running, State, World } from "../algorithm/algorithm.ts";
import { createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import { InputError } from "../input/input.ts";
import type { Problem } from "../problem/problem.ts";
import { createProblem } from "../problem/registry.ts";
import { predictedRounds } from "../rate/rate.ts";
import type { RunSpec } from "../run/spec.ts";
import type { Topology } from "../topology/topology.ts";
import { type Checkpoint, readCheckpoints, writeCheckpoint } from "./checkpoint.ts";
import { gather, gatherSteps, usualLag } from "./gather.ts";
import { type RoundReport, runPeer } from "./peer.ts";
import { repairing } from "./repair.ts";
import { Shifted } from "./shifted.ts";
import { closeRanks, PeerLost, topologyFor } from "./survivors.ts";
import { allocate, defaultTimeout, type Transport, type Vector } from "./transport.ts";

export interface SpecPeerOptions {
  readonly transport: Transport;
  /** All peers give the same. */
  readonly runs: readonly RunSpec[];
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
  readonly checkpoint?: { readonly path: string; readonly every: number } | undefined;
  readonly onRound?: (run: number, report: RoundReport) => void;
  /** After 0, every, 2 every, ..., rounds updates, as far as this peer did them; and at the end of each run. */
  readonly onRecord?: (record: PeerRecord) => void;
}

/** A row on its way to a report. Read x at once: the memory goes on being used. */
export interface PeerRecord {
  readonly run: number;
  readonly updates: number;
  readonly x: Vector;
  /** Since this peer began the run. */
  readonly bytes: number;
  readonly messages: number;
  readonly seconds: number;
}

export interface PeerSummary {
  /** Iterations done, and those skipped because the network was ahead. */
  readonly done: number;
  readonly skipped: number;
  /** The iteration at which it came back, where it did not begin at the beginning. */
  readonly rejoined?: number;
}

const exchanges = 2;
/** A place in the runs as one number: more than any run has iterations. */
const runLength = 2 ** 40;

/** The text that all peers must agree on. */
export function specText({ runs, audit }: Pick<SpecPeerOptions, "runs" | "audit">): string {
  return JSON.stringify({ runs, audit: audit ?? 0 });
}

/** The number of peers that the runs are for: one n for all. */
export function peersOf(runs: readonly RunSpec[]): number {
  const sizes = [...new Set(runs.map((run) => run.problem.n))];
  if (sizes.length === 1) return sizes[0];
  throw new InputError("runs over real peers share one n", sizes.join(", "), "make a spec for each n");
}

/** Runs the peer to the end of the last run. Rejects when the signal aborts. */
export async function runSpecPeer(options: SpecPeerOptions): Promise<PeerSummary> {
  const { transport, runs, signal, checkpoint, startTimeout = 60_000 } = options;
  // This peer's number in the spec, whatever becomes of ranks when others die.
  const { rank } = transport;
  const n = peersOf(runs);
  if (transport.size !== n) throw new InputError(`the spec is for ${n} peers`, transport.size, `start ${n}`);
  const saved = checkpoint === undefined ? [] : await readCheckpoints(checkpoint.path, specText(options), rank);
  const bases = basesOf(runs, n);
  const own = saved.length === 0 ? { run: 0, first: 0 } : { run: saved[0].run, first: saved[0].round };
  const ownRound = bases[own.run] + exchanges * own.first;
  // Without a checkpoint there may just be others that were quicker to begin; with one, a few rounds tell that they run.
  const slack = saved.length === 0 ? usualLag(n) : 4;
  const over = (reached: number) => reached > ownRound + exchanges * slack;
  const value = saved.length === 0 ? Number.NEGATIVE_INFINITY : -(own.run * runLength + own.first);
  const { met, greatest } = await gather(transport, { first: 0, timeout: startTimeout, value, over, signal });
  // All begin together; or all come back together, and go on from the least of what they have saved last.
  const least = greatest === Number.NEGATIVE_INFINITY ? 0 : -greatest;
  const place = met ? { run: Math.floor(least / runLength), first: least % runLength } : findNetwork(options, bases);
  const rejoined = met && least === 0 ? undefined : place.first;
  const exact = saved.find(({ run, round }) => run === place.run && round === place.first);
  const known = exact ?? saved.find(({ run }) => run === place.run);
  let done = 0;
  let skipped = 0;
  for (let run = place.run; run < runs.length; run++) {
    const first = run === place.run ? place.first : 0;
    const saved = run === place.run ? known : undefined;
    const count = await oneRun(options, { run, rank, base: bases[run], first, saved });
    done += count;
    skipped += runs[run].rounds - first - count;
    const meeting = bases[run] + exchanges * runs[run].rounds;
    await gather(transport, { first: meeting, timeout: options.timeout ?? defaultTimeout, signal });
  }
  return { done, skipped, ...(rejoined === undefined ? {} : { rejoined }) };
}

/** Whether a round of the transport belongs to a run, and not to a meeting. */
export function inRun(runs: readonly RunSpec[], round: number): boolean {
  return basesOf(runs, peersOf(runs)).some((base, k) => round >= base && round < base + exchanges * runs[k].rounds);
}

/** The transport's round at which each run begins. */
function basesOf(runs: readonly RunSpec[], n: number): number[] {
  const steps = gatherSteps(n);
  let next = steps;
  return runs.map(({ rounds }) => {
    const base = next;
    next += exchanges * rounds + steps;
    return base;
  });
}

/** The iteration after the one that the others have reached. */
function findNetwork({ transport, runs }: SpecPeerOptions, bases: readonly number[]): { run: number; first: number } {
  const round = transport.reached;
  const run = bases.findLastIndex((base) => base <= round);
  const first = Math.floor((round - bases[run]) / exchanges) + 1;
  if (first >= runs[run].rounds && run + 1 < runs.length) return { run: run + 1, first: 0 };
  return { run, first: Math.min(first, runs[run].rounds) };
}

interface Place {
  readonly run: number;
  readonly rank: number;
  /** The transport's round at which the run begins, and the iteration to begin with. */
  readonly base: number;
  readonly first: number;
  readonly saved: Checkpoint | undefined;
}

/** One run from iteration `first` on; answers how many iterations were done. */
async function oneRun(options: SpecPeerOptions, { run, rank, base, first, saved }: Place): Promise<number> {
  const { runs, signal, timeout = defaultTimeout, overlap = false, audit, checkpoint, onRound, onRecord } = options;
  const spec = runs[run];
  let transport = new Shifted(options.transport, base);
  let topology = topologyFor(spec.topology, transport.size);
  const problem = options.problemOf?.(spec) ?? createProblem(spec.problem);
  const running = start(spec, topology, problem, rank, first, saved, audit);
  const begun = performance.now();
  const { sentBytes } = transport.counts;
  let messages = 0;
  const record = (updates: number) =>
    onRecord?.({
      run,
      updates,
      x: running.state.x,
      bytes: transport.counts.sentBytes - sentBytes,
      messages: messages + transport.messages,
      seconds: (performance.now() - begun) / 1000,
    });
  if (first === 0) record(0);
  let done = 0;
  // One that resumes at the very end still has a row to tell of.
  let recorded = first === 0 ? 0 : -1;
  const after = async (report: RoundReport): Promise<void> => {
    done++;
    const updates = report.round + 1;
    onRound?.(run, report);
    if (updates % spec.every === 0 || updates === spec.rounds) {
      record(updates);
      recorded = updates;
    }
    if (checkpoint !== undefined && (updates % checkpoint.every === 0 || updates === spec.rounds)) {
      const { state } = running;
      await writeCheckpoint(checkpoint.path, { spec: specText(options), rank, run, round: updates, state });
    }
    if (options.transport.lost === true) throw new PeerLost(updates);
  };
  const common = { running, rounds: spec.rounds, exchanges, timeout, signal, overlap, onRound: after };
  for (let next = first; next < spec.rounds; ) {
    try {
      const maxLag = options.maxLag ?? usualLag(topology.n);
      next = await runPeer({ ...common, transport, topology, first: next, maxLag });
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      messages += transport.messages;
      next = await closeRanks(options.transport, error.next, timeout);
      transport = new Shifted(options.transport, base);
      topology = topologyFor(spec.topology, transport.size);
    }
  }
  if (recorded < spec.rounds) record(spec.rounds);
  return done;
}

/** The algorithm on this peer's row: at the beginning, from exactly where it was saved, or back after an absence. */
function start(
  spec: RunSpec,
  topology: Topology,
  problem: Problem,
  rank: number,
  first: number,
  saved: Checkpoint | undefined,
  audit: number | undefined,
): Running {
  const optimiser = createAlgorithm(spec.algorithm, problem);
  const world = createWorld({
    topology,
    problem,
    learningRate: optimiser.learningRate,
    seed: spec.seed,
    rows: (width) => allocate(spec.type, width),
    first: rank,
    count: 1,
  });
  const running =
    saved === undefined
      ? optimiser.start(world)
      : saved.round === first
        ? optimiser.start(world, saved.state)
        : comeBack(optimiser, world, saved.state);
  if (audit === undefined || audit === 0) return running;
  return repairing(running, { every: audit, rounds: Math.min(audit - 1, predictedRounds(topology, 1e-3)) });
}

/** States that are a node's own business; others are shares of a sum over all nodes. */
const ownStates = new Set(["x", "m", "v", "q"]);

/**
 * Back after an absence: models and momenta are the checkpoint's. Where the state holds shares of a network-wide sum
 * (trackers, corrections, push-sum weights), the old share is void and the algorithm starts anew from x: gradient
 * tracking from its own gradient.
 */
export function comeBack(optimiser: Optimiser, world: World, saved: Readonly<State>): Running {
  if (Object.keys(saved).every((name) => ownStates.has(name))) return optimiser.start(world, saved);
  return optimiser.start({ ...world, x0: saved.x });
}
