/**
 * Fault schedules: what happens to a network of peers, and when, drawn from (seed, number) and played on a modelled network.
 * A schedule that shows a defect is made smaller as long as it still does: faults are left out one by one, durations and
 * times halved.
 */

import type { ConnectedNetwork } from "../peer/network/connections.ts";
import { RandomStream, streams } from "../random/stream.ts";

/** Something that happens at a time, in milliseconds since the start. */
export type Fault =
  /** The connection from one peer to another breaks, and both know. */
  | { readonly at: number; readonly kind: "break"; readonly from: number; readonly to: number }
  /** The connection from one peer to another is dead, but one end believes that it works. */
  | {
      readonly at: number;
      readonly kind: "half-open";
      readonly from: number;
      readonly to: number;
      readonly believer: "sender" | "receiver";
    }
  /** Nothing passes between these peers and all others. */
  | { readonly at: number; readonly kind: "cut"; readonly side: readonly number[]; readonly for: number }
  | { readonly at: number; readonly kind: "stop"; readonly peer: number; readonly for: number }
  /** A peer is killed, or loses power, and returns after a while; never if `for` is 0. */
  | { readonly at: number; readonly kind: "kill"; readonly peer: number; readonly for: number; readonly power: boolean }
  /** The next vote from one peer to another arrives so many milliseconds after its receiver's deadline (or before it). */
  | { readonly at: number; readonly kind: "race"; readonly from: number; readonly to: number; readonly after: number };

export type FaultKind = Fault["kind"];

export interface ScheduleOptions {
  readonly seed: number;
  /** The number of the schedule among those of that seed. */
  readonly number: number;
  readonly peers: number;
  /** Milliseconds in which faults begin, and the longest that one lasts. */
  readonly span: number;
  readonly longest: number;
  /** The most faults of a schedule. */
  readonly most: number;
  readonly kinds: readonly FaultKind[];
}

/** All kinds that the modelled network can play (peer/network/connections.ts). */
export const faultKinds: readonly FaultKind[] = ["break", "half-open", "cut", "stop", "kill", "race"];

/**
 * The schedule of (seed, number), in order of time. At most a third of the peers is killed. O(faults).
 *
 * @example
 * ```ts
 * import { drawSchedule, faultKinds } from "equitopo/testing";
 * const options = { seed: 1, number: 7, peers: 4, span: 500, longest: 100, most: 5, kinds: faultKinds };
 * const times = drawSchedule(options).map(({ at }) => at);
 * times.every((at, k) => k === 0 || at >= times[k - 1]) // => true
 * ```
 */
export function drawSchedule({ seed, number, peers, span, longest, most, kinds }: ScheduleOptions): Fault[] {
  const dice = new RandomStream(seed, streams.schedule, number);
  const killed = new Set<number>();
  const faults: Fault[] = [];
  const count = 1 + dice.below(most);
  for (let k = 0; k < count; k++) {
    const at = Math.round(dice.uniform() * span);
    const kind = kinds[dice.below(kinds.length)];
    const peer = dice.below(peers);
    const other = (peer + 1 + dice.below(peers - 1)) % peers;
    const lasting = 1 + Math.round(dice.uniform() * longest);
    const coin = dice.below(2) === 0;
    const three = dice.below(3);
    if (kind === "break") faults.push({ at, kind, from: peer, to: other });
    else if (kind === "half-open") {
      faults.push({ at, kind, from: peer, to: other, believer: coin ? "sender" : "receiver" });
    } else if (kind === "cut") {
      faults.push({ at, kind, side: coin ? [peer] : [peer, other].sort((a, b) => a - b), for: lasting });
    } else if (kind === "stop") faults.push({ at, kind, peer, for: lasting });
    else if (kind === "race") faults.push({ at, kind, from: peer, to: other, after: [-1e-6, 0, 1e-6][three] });
    else if (killed.has(peer) || killed.size + 1 <= peers / 3) {
      killed.add(peer);
      faults.push({ at, kind, peer, for: three === 0 ? 0 : lasting, power: coin });
    }
  }
  return faults.sort((a, b) => a.at - b.at);
}

/**
 * The smallest schedule found that still fails: O(faults^2) trials at worst. `fails` must give the same answer every time.
 *
 * @example
 * ```ts
 * import { type Fault, shrinkSchedule } from "equitopo/testing";
 * const stop = (at: number, peer: number): Fault => ({ at, kind: "stop", peer, for: 80 });
 * const fails = async (faults: readonly Fault[]) => faults.some((fault) => fault.kind === "stop" && fault.peer === 2);
 * const smallest = await shrinkSchedule([stop(0, 1), stop(40, 2), stop(60, 3)], fails);
 * JSON.stringify(smallest) // => '[{"at":0,"kind":"stop","peer":2,"for":1}]'
 * ```
 */
export async function shrinkSchedule(
  schedule: readonly Fault[],
  fails: (schedule: readonly Fault[]) => Promise<boolean>,
): Promise<readonly Fault[]> {
  let smallest = schedule;
  for (let better = true; better; ) {
    better = false;
    for (const candidate of smaller(smallest)) {
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      better = true;
      break;
    }
  }
  return smallest;
}

/** All schedules that are one step smaller: without one fault, or with one that is shorter or earlier. */
function* smaller(schedule: readonly Fault[]): Generator<readonly Fault[]> {
  for (let k = 0; k < schedule.length; k++) yield schedule.filter((_, j) => j !== k);
  for (const [k, fault] of schedule.entries()) {
    if ("for" in fault && fault.for > 1) yield schedule.with(k, { ...fault, for: Math.floor(fault.for / 2) });
    if (fault.at > 0) yield schedule.with(k, { ...fault, at: Math.floor(fault.at / 2) });
  }
}

/** Sets every fault on the network's clock; `onReturn` is called when a peer that was killed may join again. O(faults). */
export function playSchedule(
  network: ConnectedNetwork,
  schedule: readonly Fault[],
  onReturn: (rank: number) => void,
): void {
  for (const fault of schedule) network.after(fault.at, () => play(network, fault, onReturn));
}

function play(network: ConnectedNetwork, fault: Fault, onReturn: (rank: number) => void): void {
  if (fault.kind === "break") network.break(fault.from, fault.to);
  else if (fault.kind === "half-open") network.halfOpen(fault.from, fault.to, fault.believer);
  else if (fault.kind === "stop") network.stop(fault.peer, fault.for);
  else if (fault.kind === "race") network.race(fault.from, fault.to, fault.after);
  else if (fault.kind === "cut") {
    const others = Array.from({ length: network.size }, (_, rank) => rank).filter((r) => !fault.side.includes(r));
    network.cut(fault.side, others, fault.for);
  } else if (network.isHere(fault.peer)) {
    network.crash(fault.peer, { power: fault.power });
    if (fault.for > 0) network.after(fault.for, () => onReturn(fault.peer));
  }
}
