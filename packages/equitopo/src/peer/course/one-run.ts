/** One run of a spec at one peer: from the iteration it begins with to the last, recorded, evaluated and saved on the way. */

import type { Running, State, World } from "../../algorithm/algorithm.ts";
import { createAlgorithm, type Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import type { Rows } from "../../round/round.ts";
import { restoreProblem } from "../../run/course/parts.ts";
import { robustFor } from "../../run/robust.ts";
import { liarsOf } from "../../run/run-spec.ts";
import type { Topology } from "../../topology/topology.ts";
import { usualLag } from "../exchange/claims.ts";
import { Shifted } from "../exchange/offset.ts";
import { allocate, defaultTimeout } from "../exchange/transport.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import { type FaultRepair, faultRepair } from "./fault-repair.ts";
import type { SpecPeerOptions, StageStart } from "./options.ts";
import { runPeer } from "./peer.ts";
import { peerCourse } from "./peer-course.ts";
import { audited, repairedWhen, trackingStates } from "./repair.ts";
import { closeRanks, topologyFor } from "./survivors.ts";

/** The run from iteration `first` on; answers how many iterations were done. */
export async function oneRun(options: SpecPeerOptions, place: StageStart): Promise<number> {
  const { signal, timeout = defaultTimeout, overlap = false, alone, onRound } = options;
  const { run, spec, problem, numbering, base, rank, first } = place;
  const optimiser = createAlgorithm(spec.algorithm, problem);
  let transport = new Shifted(options.transport, base);
  let topology = topologyFor(spec.topology, transport.size);
  const liars = liarsOf(spec);
  const liar = liars?.marks[rank] === 1;
  const started = start(place, optimiser, topology);
  const { repair, running } = repairedAfterFaults(options, place, optimiser, topology, started);
  // Of the networks before the present one, which others left.
  let messages = 0;
  const sent = () => {
    const { sentBytes, sentBetween } = transport.counts;
    const between = topology.hierarchy === undefined ? {} : { between: sentBetween };
    return { bytes: sentBytes, messages: messages + transport.messages, ...between };
  };
  const course = peerCourse(options, place, { state: () => running.state, sent, honest: !liar, repair });
  let [done, next] = [0, first];
  /** Thrown between two iterations when this peer has heard of a death. */
  let lost: Error | undefined;
  const after = async (report: RoundReport): Promise<void> => {
    done++;
    repair?.done(report);
    next = report.round + 1;
    onRound?.(run, report);
    await course.done(next);
    if (options.transport.lost !== true) return;
    lost = new Error("a peer is gone for good");
    throw lost;
  };
  const { exchanges } = optimiser;
  const lose = spec.faults?.drop === undefined ? undefined : { share: spec.faults.drop, seed: spec.seed };
  const lie = liar ? (own: Rows, exchange: number) => liars.say(rank, own, exchange, []) : undefined;
  const setting = { running, rounds: spec.rounds, exchanges, numbering, timeout, signal, overlap, alone, lose, lie };
  course.begin(first);
  options.transport.notices = repair;
  while (next < spec.rounds) {
    try {
      const maxLag = options.maxLag ?? usualLag(topology.n);
      const defence = spec.robust && robustFor(spec.robust, optimiser, topology);
      next = await runPeer({ ...setting, transport, topology, defence, first: next, maxLag, onRound: after });
    } catch (error) {
      if (lost === undefined || error !== lost) throw error;
      messages += transport.messages;
      repair?.fault(lost.message);
      next = await closeRanks(options.transport, next, spec.rounds, timeout);
      transport = new Shifted(options.transport, base);
      topology = topologyFor(spec.topology, transport.size);
    }
  }
  options.transport.notices = undefined;
  await course.end();
  return done;
}

/** Repairs after faults, where there is a sum to damage and no audit that restores it anyway. */
function repairedAfterFaults(
  { audit = 0, onTrouble = () => {} }: SpecPeerOptions,
  { spec, first, saved, base, numbering }: StageStart,
  { algorithm }: Optimiser,
  topology: Topology,
  running: Running,
): { readonly running: Running; readonly repair?: FaultRepair } {
  const tracking = trackingStates(algorithm);
  if (tracking === undefined || audit !== 0) return { running: audited(running, algorithm, topology, audit) };
  const { n, symmetric } = topology;
  const isOfRun = (round: number) => round >= base && round < base + numbering.length;
  const repair = faultRepair({ n, symmetric, first, end: spec.rounds, isOfRun, onTrouble });
  if (first > 0 && saved?.round !== first) repair.fault(`this peer came at iteration ${first} without its tracker`);
  else if (saved?.course?.["repairs"] !== undefined) repair.fault("there was a fault before the checkpoint");
  return { repair, running: repairedWhen(running, tracking, repair.phaseOf) };
}

/** The algorithm on this peer's row: at the beginning, from exactly where it was saved, or back after an absence. */
function start({ spec, problem, rank, first, saved }: StageStart, optimiser: Optimiser, topology: Topology): Running {
  const rows = (width: number) => allocate(spec.type, width);
  const { learningRate } = optimiser;
  const world = createWorld({
    topology,
    problem,
    learningRate,
    seed: spec.seed,
    rows,
    first: rank,
    count: 1,
    begins: true,
  });
  restoreProblem(problem, saved?.problem);
  const absent = saved !== undefined && saved.round !== first;
  return absent ? comeBack(optimiser, world, saved.state) : optimiser.start(world, saved?.state);
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
