/**
 * Gossip, x(t+1) = W(t) x(t) (or CECA's rule, over two vectors a node), and what the paper's first experiments plot: the consensus error ||x(t) - J x(0)||_F
 * (section 6, appendix D.1 and D.2), where J x(0) puts the mean of x(0) into every row.
 *
 * By option over a network that fails: lost and stale messages, crashed and absent nodes, stragglers (faults/).
 */

import type { Mix } from "../algorithm/algorithm.ts";
import { averaging } from "../algorithm/averaging.ts";
import { drive } from "../algorithm/drive.ts";
import { Meter } from "../algorithm/meter.ts";
import { checkLatency } from "../faults/latency.ts";
import { type Faults, Network } from "../faults/network.ts";
import { attachWeights, ratios } from "../faults/push-sum.ts";
import { StaleMixer } from "../faults/stale.ts";
import { InputError, integer, oneOf, onlyKeys, real } from "../input/input.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { type Distance, meanRow, squaredDistance } from "../round/distance.ts";
import { unmarkUnheard } from "../round/heard.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { finish, finishAsync } from "./steps.ts";

/** What this library needs of an AbortSignal. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

export interface GossipOptions extends Faults {
  /** Numbers per node. */
  readonly d: number;
  readonly rounds: number;
  /** Of the initial state and of the faults; 0 by default. (The topology has its own.) */
  readonly seed?: number;
  /** The initial n x d numbers; standard normals by default. */
  readonly x0?: ArrayLike<number>;
  readonly type?: "float64" | "float32";
  /** Record the error every so many rounds; 1 by default. The last round is always recorded. */
  readonly every?: number;
  /**
   * Errors are distances to the mean of x(0), or, "now", to the mean of x(t): how far nodes are from agreeing, be it on a
   * mean that faults have moved.
   */
  readonly around?: "start" | "now";
  /** Stop at the first recorded round whose error is at most this fraction of that at the start. */
  readonly until?: number;
  readonly signal?: Signal;
  /** Called before the first round and after every one. */
  readonly onProgress?: (done: number, rounds: number) => void;
  /** Who applies the rounds; kernelMixer by default. */
  readonly mixer?: Mixer;
}

export interface GossipRecord {
  /** The recorded rounds: 0, every, 2 every, ..., rounds, or the one in which it stopped. */
  readonly recorded: number[];
  /** ||x(t) - J x(0)||_F at the recorded rounds; with `around: "now"`, ||x(t) - J x(t)||_F. */
  readonly errors: number[];
  /** ||mean of x(end) - mean of x(0)|| / ||mean of x(0)||: rounding only, unless directed messages were lost, or any stale. */
  readonly meanDrift: number;
  /** The largest number of bytes that any node sent. */
  readonly bytesPerNode: number;
  /** Simulated seconds up to each recorded round, where a latency model was given. */
  readonly seconds?: number[];
  /** The final state, n rows of d numbers. */
  readonly x: Rows;
}

const optionNames = [
  ...["d", "rounds", "seed", "x0", "type", "every", "signal", "onProgress"],
  ...["mixer", "drop", "crash", "latency", "pushSum", "absent", "stale", "around", "until"],
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
export function gossip(topology: Topology, options: GossipOptions): GossipRecord {
  return finish(gossipSteps(topology, options));
}

/** The same, letting the event loop run now and then, so that an abort or a repaint gets its turn. */
export async function gossipAsync(topology: Topology, options: GossipOptions): Promise<GossipRecord> {
  return finishAsync(gossipSteps(topology, options), topology.n * options.d);
}

/** The loop itself: yields after every round. */
function* gossipSteps(topology: Topology, options: GossipOptions): Generator<number, GossipRecord> {
  const { n } = topology;
  onlyKeys("gossip", options, optionNames);
  const d = integer("d", options.d, 1);
  const rounds = integer("rounds", options.rounds, 0);
  const seed = integer("seed", options.seed ?? 0, 0);
  const every = integer("every", options.every ?? 1, 1);
  const type = oneOf("type", options.type ?? "float64", ["float64", "float32"]);
  const around = oneOf("around", options.around ?? "start", ["start", "now"]);
  const until = options.until === undefined ? -1 : real("until", options.until, { min: 0, max: 1 }, 1e-6);
  const pushSum = options.pushSum === true;
  const mixer = options.mixer ?? kernelMixer(n, type);
  if (mixer.n !== n) throw new InputError(`the mixer must be for the topology's n = ${n}`, mixer.n, `try n = ${n}`);
  const network = new Network(topology, options, seed);
  const latency = options.latency === undefined ? undefined : checkLatency(n, options.latency);
  const meter = new Meter(n, latency, seed);
  const stale = (options.stale ?? 0) > 0 ? new StaleMixer(mixer) : undefined;
  throwIfAborted(options.signal);

  const initial = mixer.rows(d);
  fillInitial(initial, options.x0, seed);
  const mean = meanRow(initial, n);
  const weighted = pushSum ? mixer.rows(d + 1) : initial;
  if (pushSum) attachWeights(initial, d, weighted);
  const running = averaging(topology, weighted, n, (width) => mixer.rows(width));
  let z = initial;
  const bytes = initial.BYTES_PER_ELEMENT * (pushSum ? d + 1 : d);
  // Only the plain case can be measured while it is mixed: elsewhere what is mixed is not what is recorded.
  const fused = stale === undefined && !pushSum && around === "start" && topology.pair === undefined;
  const recorded = [0];
  const errors = [Math.sqrt(squaredDistance(initial, mean))];
  const seconds = [0];
  options.onProgress?.(0, rounds);
  for (let t = 0; t < rounds; t++) {
    throwIfAborted(options.signal);
    const record = (t + 1) % every === 0 || t + 1 === rounds;
    const distance: Distance = { mean, square: undefined };
    drive(running, t, ({ vectors: [x], heard }: Mix) => {
      const { planned, round, split, down } = network.passage(t);
      meter.exchange(planned, bytes, t, down);
      if (heard !== undefined) unmarkUnheard(round, heard);
      return [stale?.mix(round, split, x) ?? mixer.mix(round, x, record && fused ? distance : undefined)];
    });
    if (record) {
      if (pushSum) ratios(running.state.x, d, z);
      else z = running.state.x;
      errors.push(Math.sqrt(distance.square ?? squaredDistance(z, around === "now" ? meanRow(z, n) : mean)));
      recorded.push(t + 1);
      seconds.push(meter.seconds);
    }
    options.onProgress?.(t + 1, rounds);
    if (record && errors[errors.length - 1] <= until * errors[0]) break;
    yield t + 1;
  }
  return {
    recorded,
    errors,
    meanDrift: drift(mean, meanRow(z, n)),
    bytesPerNode: meter.bytes,
    ...(options.latency === undefined ? {} : { seconds }),
    // A copy: a view into the mixer's memory would keep, and be cloned with, all of it.
    x: z.slice(),
  };
}

function fillInitial(x: Rows, x0: ArrayLike<number> | undefined, seed: number): void {
  if (x0 === undefined) fillNormal(x, seed, streams.initialState, 0);
  else if (x0.length === x.length) x.set(x0);
  else throw new InputError(`x0 must hold n d = ${x.length} numbers`, x0.length, "give d numbers per node");
}

function drift(before: Float64Array, after: Float64Array): number {
  const norm = (row: Float64Array) => Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
  const change = norm(after.map((value, k) => value - before[k]));
  const size = norm(before);
  return size === 0 ? change : change / size;
}

function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new Error("aborted");
}
