/** One run of a spec at one peer: from the iteration it begins with to the last, recorded, evaluated and saved on the way. */

import type { Running, State, World } from "../algorithm/algorithm.ts";
import { createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import type { Tally } from "../problem/problem.ts";
import { predictedRounds } from "../rate/prediction.ts";
import type { Rows } from "../round/round.ts";
import { liarsOf } from "../run/liars.ts";
import { robustFor } from "../run/robust.ts";
import type { Topology } from "../topology/topology.ts";
import { type Checkpoint, saveCheckpoint } from "./checkpoint.ts";
import { evaluateAtPeer } from "./evaluate.ts";
import { usualLag } from "./gather.ts";
import { type RoundReport, runPeer } from "./peer.ts";
import { repairing } from "./repair.ts";
import type { RunId } from "./run-id.ts";
import { savePoints } from "./save-points.ts";
import { Shifted } from "./shifted.ts";
import { runTexts, type SpecPeerOptions, type Stage } from "./spec-peer.ts";
import { closeRanks, PeerLost, topologyFor } from "./survivors.ts";
import { allocate, defaultTimeout } from "./transport.ts";

export interface Place extends Stage {
  readonly rank: number;
  /** Which start of the runs this is. */
  readonly id: RunId;
  /** The iteration to begin with, and what was saved of this run. */
  readonly first: number;
  readonly saved: Checkpoint | undefined;
}

/** The run from iteration `first` on; answers how many iterations were done. */
export async function oneRun(options: SpecPeerOptions, place: Place): Promise<number> {
  const { signal, timeout = defaultTimeout, overlap = false, checkpoint, onRound, onRecord } = options;
  const { run, spec, problem, numbering, base, rank, first } = place;
  const { evaluation } = problem;
  const evaluate = spec.evaluate ?? problem.epoch ?? spec.rounds;
  const optimiser = createAlgorithm(spec.algorithm, problem);
  let transport = new Shifted(options.transport, base);
  let topology = topologyFor(spec.topology, transport.size);
  const liars = liarsOf(spec);
  const liar = liars?.marks[rank] === 1;
  const running = start(place, optimiser, topology, options.audit);
  const before = place.saved?.spent ?? { bytes: 0, messages: 0, seconds: 0 };
  const begun = performance.now() - 1000 * before.seconds;
  // Bytes from here on, but for those of evaluations, beside those of an earlier start.
  let uncounted = transport.counts.sentBytes - before.bytes;
  let { messages } = before;
  const farBefore = transport.counts.sentBetween - (before.between ?? 0);
  const spent = () => ({
    bytes: transport.counts.sentBytes - uncounted,
    messages: messages + transport.messages,
    seconds: (performance.now() - begun) / 1000,
    ...(topology.hierarchy === undefined ? {} : { between: transport.counts.sentBetween - farBefore }),
  });
  const due = savePoints(transport.size, checkpoint?.every);
  let done = 0;
  // One that resumes at the very end still has a row to tell of.
  let recorded = first === 0 ? 0 : -1;
  const record = (updates: number, tally?: Tally) => {
    recorded = updates;
    onRecord?.({
      run,
      updates,
      x: running.state.x,
      ...(problem.state === undefined ? {} : { state: problem.state }),
      ...(tally === undefined ? {} : { tally }),
      ...spent(),
    });
  };
  /** Evaluates and records, as far as it is time to. */
  const look = async (updates: number): Promise<void> => {
    const last = updates === spec.rounds;
    let tally: Tally | undefined;
    if (evaluation !== undefined && updates > 0 && (updates % evaluate === 0 || last)) {
      const { sentBytes } = transport.counts;
      tally = await evaluateAtPeer({
        ...{ evaluation, node: rank, x: running.state.x, updates, last, first: numbering.evaluation(updates) },
        ...{ transport: new Shifted(options.transport, base), timeout, signal, honest: !liar },
      });
      uncounted += transport.counts.sentBytes - sentBytes;
    }
    if (updates % spec.every === 0 || last || tally !== undefined) record(updates, tally);
  };
  const after = async (report: RoundReport): Promise<void> => {
    done++;
    const updates = report.round + 1;
    onRound?.(run, report);
    await look(updates);
    if (checkpoint !== undefined && (due(updates) || updates === spec.rounds)) {
      const where = { spec: runTexts(options)[run], rank, id: place.id, run, round: updates, spent: spent() };
      await saveCheckpoint(checkpoint.store, { ...where, state: running.state, problem: problem.state ?? {} });
    }
    if (options.transport.lost === true) throw new PeerLost(updates);
  };
  const { exchanges } = optimiser;
  const lose = spec.faults?.drop === undefined ? undefined : { share: spec.faults.drop, seed: spec.seed };
  const lie = liar ? (own: Rows, exchange: number) => liars.say(rank, own, exchange, []) : undefined;
  const common = {
    ...{ running, rounds: spec.rounds, exchanges, numbering, timeout, signal, overlap, lose, lie, onRound: after },
  };
  if (first === 0) await look(0);
  for (let next = first; next < spec.rounds; ) {
    try {
      const maxLag = options.maxLag ?? usualLag(topology.n);
      const defence = spec.robust && robustFor(spec.robust, optimiser, topology);
      next = await runPeer({ ...common, transport, topology, defence, first: next, maxLag });
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      messages += transport.messages;
      next = await closeRanks(options.transport, error.next, spec.rounds, timeout);
      transport = new Shifted(options.transport, base);
      topology = topologyFor(spec.topology, transport.size);
    }
  }
  if (recorded < spec.rounds) await look(spec.rounds);
  return done;
}

/** The algorithm on this peer's row: at the beginning, from exactly where it was saved, or back after an absence. */
function start(place: Place, optimiser: Optimiser, topology: Topology, audit = 0): Running {
  const { spec, problem, rank, first, saved } = place;
  const { algorithm, learningRate } = optimiser;
  const rows = (width: number) => allocate(spec.type, width);
  const world = createWorld({ topology, problem, learningRate, seed: spec.seed, rows, first: rank, count: 1 });
  for (const [name, values] of Object.entries(saved?.problem ?? {})) problem.state?.[name]?.set(values);
  const running =
    saved === undefined
      ? optimiser.start(world)
      : saved.round === first
        ? optimiser.start(world, saved.state)
        : comeBack(optimiser, world, saved.state);
  if (audit === 0) return running;
  const rounds = Math.min(audit - 1, predictedRounds(topology, 1e-3, "any"));
  return repairing(running, algorithm, { every: audit, rounds });
}

/**
 * Back after an absence: models and what the algorithm declares as the node's own are the checkpoint's. Where states are
 * shares of a network-wide sum (trackers, corrections, push-sum weights), the old share is void and begins anew from x:
 * gradient tracking from its own gradient.
 */
export function comeBack(optimiser: Optimiser, world: World, saved: Readonly<State>): Running {
  const { states } = optimiser.algorithm;
  const own = Object.keys(saved).filter((name) => states[name] === "own");
  if (own.length === Object.keys(saved).length - 1) return optimiser.start(world, saved);
  const running = optimiser.start({ ...world, x0: saved.x });
  for (const name of own) running.state[name].set(saved[name]);
  return running;
}
