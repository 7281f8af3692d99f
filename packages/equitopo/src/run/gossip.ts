/**
 * Gossip, x(t+1) = W(t) x(t) (or CECA's rule, over two vectors per node), and the quantity of the paper's first experiments:
 * the consensus error ||x(t) - J x(0)||_F (section 6, appendix D.1 and D.2), where J x(0) puts the mean of x(0) into every
 * row.
 *
 * Optionally over a network that fails: dropped and stale messages, crashed and absent nodes, stragglers (faults/).
 */

import { defined, integer, onlyKeys, real } from "../input/input.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { type GossipStepOptions, gossipSteps } from "./gossip-steps.ts";
import { finish, finishAsync } from "./steps.ts";

/** The part of an AbortSignal that this library uses. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

export interface GossipOptions extends GossipStepOptions {
  readonly rounds: number;
  /** Record the error every so many rounds; 1 by default. The last round is always recorded. */
  readonly every?: number;
  /** Stop at the first recorded round whose error is at most this fraction of that at the start. */
  readonly until?: number;
  readonly signal?: Signal;
  /** Called before the first round and after every one. */
  readonly onProgress?: (done: number, rounds: number) => void;
}

export interface GossipRecord {
  /** The recorded rounds: 0, every, 2 every, ..., rounds, or the one at which it stopped. */
  readonly recorded: number[];
  /** ||x(t) - J x(0)||_F at the recorded rounds; with `around: "now"`, ||x(t) - J x(t)||_F. */
  readonly errors: number[];
  /**
   * ||mean of x(end) - mean of x(0)|| / ||mean of x(0)||: rounding only, unless directed messages were dropped, or any were stale.
   */
  readonly meanDrift: number;
  /** The largest number of bytes that any node sent. */
  readonly bytesPerNode: number;
  /** Over a hierarchy: bytes sent to other groups by the group that sent most, that is, between machines. */
  readonly bytesBetween?: number;
  /** Simulated seconds up to each recorded round, if a latency model was given. */
  readonly seconds?: number[];
  /** The final state, n rows of d numbers. */
  readonly x: Rows;
}

const optionNames = [
  ...["d", "seed", "x0", "type", "around", "mixer", "drop", "crash", "cut", "latency", "pushSum", "absent", "stale"],
  ...["rounds", "every", "until", "signal", "onProgress"],
];

/**
 * Gossips to the end without a break. O(rounds x what a round costs).
 *
 * @example
 * ```ts
 * import { gossip, onePeerExp } from "equitopo";
 * const { errors, bytesPerNode } = gossip(onePeerExp({ n: 256 }), { d: 10, rounds: 8 });
 * errors[0] > 50 // => true
 * errors[8] < 1e-13 // => true
 * bytesPerNode // => 640
 * ```
 */
export const gossip = (topology: Topology, options: GossipOptions): GossipRecord => finish(recorded(topology, options));

/** The same result, yielding to the event loop now and then, so that an abort or a repaint gets its turn. */
export async function gossipAsync(topology: Topology, options: GossipOptions): Promise<GossipRecord> {
  return finishAsync(recorded(topology, options), topology.n * options.d);
}

/** Records the steps; yields after every round. */
function* recorded(topology: Topology, options: GossipOptions): Generator<number, GossipRecord> {
  onlyKeys("gossip", options, optionNames);
  const rounds = integer("rounds", options.rounds, 0);
  const every = integer("every", options.every ?? 1, 1);
  const until = options.until === undefined ? -1 : real("until", options.until, { min: 0, max: 1 }, 1e-6);
  const steps = gossipSteps(topology, options);
  throwIfAborted(options.signal);

  const start = steps.take();
  const [recorded, errors, seconds] = [[0], [start.error], [0]];
  options.onProgress?.(0, rounds);
  for (let t = 1; t <= rounds; t++) {
    throwIfAborted(options.signal);
    const record = t % every === 0 || t === rounds;
    if (record) {
      errors.push(steps.take().error);
      recorded.push(t);
      seconds.push(steps.seconds);
    } else steps.advance();
    options.onProgress?.(t, rounds);
    if (record && errors[errors.length - 1] <= until * errors[0]) break;
    yield t;
  }
  return defined({
    ...{ recorded, errors, meanDrift: steps.meanDrift, bytesPerNode: steps.bytes, bytesBetween: steps.between },
    seconds: options.latency && seconds,
    // A copy: a view into the mixer's memory would keep, and be cloned with, all of it.
    x: steps.x.slice(),
  });
}

function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new Error("aborted");
}
