/**
 * What a round takes on a network: a message of b bytes takes alpha + beta b seconds, a node sends its messages of a
 * round one after another, and may start late:
 *
 *   seconds(t) = max over nodes j that send:  delay_j(t) + (messages of j) (alpha + beta b),
 *
 * because a round is over when the slowest message that somebody waits for is there. Crashed nodes are not waited for;
 * a lost message is given up when it would have been there.
 */

import { InputError, nonnegative, onlyKeys, real } from "../input/input.ts";
import { RandomStream, streams } from "../random/stream.ts";

export interface Latency {
  /** Seconds per message. */
  readonly alpha: number;
  /** Seconds per byte. */
  readonly beta: number;
  /** Seconds by which each node is late in every round (slow machines), one per node. */
  readonly delays?: ArrayLike<number>;
  /** Stragglers: in each round each node is late by `seconds` with this probability. */
  readonly straggler?: { readonly probability: number; readonly seconds: number };
}

export function checkLatency(n: number, latency: Latency): Latency {
  onlyKeys("latency", latency, ["alpha", "beta", "delays", "straggler"]);
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
  const { alpha, beta, delays, straggler } = latency;
  const random = straggler === undefined ? undefined : new RandomStream(seed, streams.straggler, t);
  const late = straggler === undefined ? 0 : straggler.probability * 4294967296;
  let slowest = 0;
  for (let j = 0; j < n; j++) {
    const straggles = random !== undefined && random.word() < late;
    const count = messages(j);
    if (count === 0) continue;
    const delay = (delays?.[j] ?? 0) + (straggles && straggler !== undefined ? straggler.seconds : 0);
    slowest = Math.max(slowest, delay + count * (alpha + beta * bytes));
  }
  return slowest;
}
