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
import { FaultRepair } from "./fault-repair.ts";
import type { SpecPeerOptions, StageStart } from "./options.ts";
import { runPeer } from "./peer.ts";
import { peerCourse } from "./peer-course.ts";
import { audited, repairedWhen, trackingStates } from "./repair.ts";
import { closeRanks, PeerLost, topologyFor } from "./survivors.ts";

/** The run from iteration `first` on; answers how many iterations were done. */
export async function oneRun(options: SpecPeerOptions, place: StageStart): Promise<number> {
  const { signal, timeout = defaultTimeout, overlap = false, onRound } = options;
  const { run, spec, problem, numbering, base, rank, first } = place;
  const optimiser = createAlgorithm(spec.algorithm, problem);
  let transport = new Shifted(options.transport, base);
  let topology = topologyFor(spec.topology, transport.size);
  const liars = liarsOf(spec);
  const liar = liars?.marks[rank] === 1;
  const repair = faultRepair(options, place, optimiser, topology);
  const running = start(place, optimiser, topology, options.audit, repair);
  // Of the networks before the present one, which others left.
  let messages = 0;
  const sent = () => {
    const { sentBytes, sentBetween } = transport.counts;
    const between = topology.hierarchy === undefined ? {} : { between: sentBetween };
    return { bytes: sentBytes, messages: messages + transport.messages, ...between };
  };
  const course = peerCourse(options, place, { state: () => running.state, sent, honest: !liar, repair });
  let done = 0;
  const after = async (report: RoundReport): Promise<void> => {
    done++;
    repair?.done(report);
    const updates = report.round + 1;
    onRound?.(run, report);
    await course.done(updates);
    if (options.transport.lost === true) throw new PeerLost(updates);
  };
  const { exchanges } = optimiser;
  const lose = spec.faults?.drop === undefined ? undefined : { share: spec.faults.drop, seed: spec.seed };
  const lie = liar ? (own: Rows, exchange: number) => liars.say(rank, own, exchange, []) : undefined;
  const setting = { running, rounds: spec.rounds, exchanges, numbering, timeout, signal, overlap, lose, lie };
  course.begin(first);
  options.transport.notices = repair;
  for (let next = first; next < spec.rounds; ) {
    try {
      const maxLag = options.maxLag ?? usualLag(topology.n);
      const defence = spec.robust && robustFor(spec.robust, optimiser, topology);
      next = await runPeer({ ...setting, transport, topology, defence, first: next, maxLag, onRound: after });
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      messages += transport.messages;
      repair?.fault("a peer is gone for good");
      next = await closeRanks(options.transport, error.next, spec.rounds, timeout);
      transport = new Shifted(options.transport, base);
      topology = topologyFor(spec.topology, transport.size);
    }
  }
  options.transport.notices = undefined;
  await course.end();
  return done;
}

/** Repairs after faults, where there is a sum to damage and no audit that restores it anyway. */
function faultRepair(
  { audit = 0, onTrouble = () => {} }: SpecPeerOptions,
  { spec, first, saved, base, numbering }: StageStart,
  { algorithm }: Optimiser,
  { n, symmetric }: Topology,
): FaultRepair | undefined {
  if (trackingStates(algorithm) === undefined || audit !== 0) return undefined;
  const isOfRun = (round: number) => round >= base && round < base + numbering.length;
  const repair = new FaultRepair({ n, symmetric, first, end: spec.rounds, isOfRun, onTrouble });
  if (first > 0 && saved?.round !== first) repair.fault(`this peer came at iteration ${first} without its tracker`);
  else if (saved?.course?.["repairs"] !== undefined) repair.fault("there was a fault before the checkpoint");
  return repair;
}

/** The algorithm on this peer's row: at the beginning, from exactly where it was saved, or back after an absence. */
function start(
  place: StageStart,
  optimiser: Optimiser,
  topology: Topology,
  audit: number | undefined,
  repair: FaultRepair | undefined,
): Running {
  const { spec, problem, rank, first, saved } = place;
  const { algorithm, learningRate } = optimiser;
  const rows = (width: number) => allocate(spec.type, width);
  const world = createWorld({ topology, problem, learningRate, seed: spec.seed, rows, first: rank, count: 1 });
  restoreProblem(problem, saved?.problem);
  const running =
    saved === undefined
      ? optimiser.start(world)
      : saved.round === first
        ? optimiser.start(world, saved.state)
        : comeBack(optimiser, world, saved.state);
  const tracking = trackingStates(algorithm);
  return tracking === undefined || repair === undefined
    ? audited(running, algorithm, topology, audit)
    : repairedWhen(running, tracking, (t) => repair.phaseOf(t));
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
