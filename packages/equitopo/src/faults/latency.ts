/**
 * How long a round takes on a network: a message of b bytes takes alpha + beta b seconds, and a node sends its messages
 * of a round one after another, and may start late:
 *
 *   seconds(t) = max over nodes j that send:  delay_j(t) + (messages of j) (alpha + beta b),
 *
 * because a round is over when the slowest message that a node waits for has arrived. No node waits for a crashed one;
 * a receiver gives a dropped message up at the time at which it would have arrived.
 *
 * A grouped round has three such steps, one after the other: every member sends its row to its leader, leaders send to
 * leaders, leaders send to their members; inside a group a message takes what `inside` says, where it is given.
 */

import { InputError, nonnegative, onlyKeys, real } from "../input/input.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { leaderOf, sizeOf } from "../round/groups.ts";
import { messagesBetween } from "../round/messages.ts";
import type { GroupedRound } from "../round/round.ts";

export interface Latency {
  /** Seconds per message. */
  readonly alpha: number;
  /** Seconds per byte. */
  readonly beta: number;
  /** Seconds by which each node is late in every round (slow machines), one per node. */
  readonly delays?: ArrayLike<number>;
  /** Stragglers: in each round each node is late by `seconds` with this probability. */
  readonly straggler?: { readonly probability: number; readonly seconds: number };
  /** Seconds per message and per byte inside a group of a hierarchy: memory, where the others are a network. */
  readonly inside?: { readonly alpha: number; readonly beta: number };
}

export function checkLatency(n: number, latency: Latency): Latency {
  onlyKeys("latency", latency, ["alpha", "beta", "delays", "straggler", "inside"]);
  real("alpha", latency.alpha, nonnegative, 1e-4);
  real("beta", latency.beta, nonnegative, 1e-9);
  if (latency.delays !== undefined && latency.delays.length !== n) {
    throw new InputError(`delays must hold n = ${n} numbers`, latency.delays.length, "give one per node");
  }
  if (latency.straggler !== undefined) {
    onlyKeys("straggler", latency.straggler, ["probability", "seconds"]);
    real("the probability of a straggler", latency.straggler.probability, { min: 0, max: 1 }, 0.01);
    real("the seconds of a straggler", latency.straggler.seconds, nonnegative, 1);
  }
  if (latency.inside !== undefined) {
    onlyKeys("inside", latency.inside, ["alpha", "beta"]);
    real("the alpha inside", latency.inside.alpha, nonnegative, 1e-6);
    real("the beta inside", latency.inside.beta, nonnegative, 1e-10);
  }
  return latency;
}

/** The seconds of round t; `messages(j)` is how many node j sends, 0 for one that is down. O(n). */
export function roundSeconds(
  latency: Latency,
  n: number,
  seed: number,
  t: number,
  bytes: number,
  messages: (j: number) => number,
): number {
  const { alpha, beta, delays, straggler = { probability: 0, seconds: 0 } } = latency;
  const random = straggler.probability > 0 ? new RandomStream(seed, streams.straggler, t) : undefined;
  const limit = straggler.probability * 4294967296;
  let slowest = 0;
  for (let j = 0; j < n; j++) {
    const late = random !== undefined && random.word() < limit ? straggler.seconds : 0;
    const count = messages(j);
    if (count > 0) slowest = Math.max(slowest, (delays?.[j] ?? 0) + late + count * (alpha + beta * bytes));
  }
  return slowest;
}

/** The seconds of a grouped round in exchange t: a late node is late before the first of its steps. O(n). */
export function groupedSeconds(
  latency: Latency,
  round: GroupedRound,
  seed: number,
  t: number,
  bytes: number,
  isDown: (j: number) => boolean,
): number {
  const { groups, n } = round;
  const { alpha, beta, inside = { alpha, beta } } = latency;
  const out = messagesBetween(round);
  let [most, members] = [0, 0];
  for (let g = 0; g < groups.count; g++) {
    if (isDown(leaderOf(groups, g, t))) continue;
    most = Math.max(most, out[g]);
    members = Math.max(members, sizeOf(groups, g) - 1);
  }
  const late = roundSeconds({ ...latency, alpha: 0, beta: 0 }, n, seed, t, bytes, (j) => (isDown(j) ? 0 : 1));
  return late + most * (alpha + beta * bytes) + (Math.min(1, members) + members) * (inside.alpha + inside.beta * bytes);
}
