/**
 * Gossip one round at a time: x(t+1) = W(t) x(t) (or CECA's rule, over two vectors per node), over a network that may fail.
 * Each step gives the state of the network after so many rounds. A state can be saved and restored, so that a program can go
 * through the rounds in both directions. `gossip` (gossip.ts) records these steps.
 */

import type { Mix } from "../algorithm/algorithm.ts";
import { averaging } from "../algorithm/averaging.ts";
import { drive } from "../algorithm/drive.ts";
import { Meter } from "../algorithm/meter.ts";
import { checkLatency } from "../faults/latency.ts";
import { type Faults, Network, type Passage } from "../faults/network.ts";
import { attachWeights, ratios } from "../faults/push-sum.ts";
import { StaleMixer } from "../faults/stale.ts";
import { defined, InputError, integer, oneOf } from "../input/input.ts";
import { norm } from "../number/vectors.ts";
import { type Distance, meanRow, squaredDistance } from "../round/distance.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import { unmarkUnheard } from "../round/messages.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { fillStart, type Start } from "./start.ts";

export interface GossipStepOptions extends Faults {
  readonly d: number;
  /** Of the initial state and of the faults; 0 by default. (The topology has its own seed.) */
  readonly seed?: number;
  /** The initial n x d numbers, or the name of a start; standard normals by default. */
  readonly x0?: ArrayLike<number> | Start;
  readonly type?: "float64" | "float32";
  /**
   * Errors are distances to the mean of x(0), or, with "now", to the mean of x(t): how far the nodes are from agreeing, even
   * on a mean that faults have moved.
   */
  readonly around?: "start" | "now";
  /** Applies the rounds; kernelMixer by default. */
  readonly mixer?: Mixer;
}

/** The network after t rounds. */
export interface GossipStep {
  readonly t: number;
  /** ||x(t) - J x(0)||_F; with `around: "now"`, ||x(t) - J x(t)||_F. */
  readonly error: number;
  /** x(t), n rows of d numbers: to be read before the next step. */
  readonly x: Rows;
}

/** All that is needed to continue from a round: copies. */
export interface GossipState {
  readonly t: number;
  readonly rows: Readonly<Record<string, Rows>>;
  readonly meter: Readonly<Record<string, Float64Array>>;
  readonly shown?: Rows;
  readonly earlier?: Rows;
}

/**
 * Steps without end: the first is the start, t = 0. A step costs a round, and O(n d) for the error.
 *
 * @example
 * ```ts
 * import { gossipSteps, onePeerExp } from "equitopo";
 * const steps = gossipSteps(onePeerExp({ n: 8 }), { d: 1, x0: [8, 0, 0, 0, 0, 0, 0, 0] });
 * steps.take().error.toFixed(4) // => "7.4833"
 * const start = steps.save();
 * steps.take().x.join(" ") // => "4 4 0 0 0 0 0 0"
 * steps.take().x.join(" ") // => "2 2 2 2 0 0 0 0"
 * steps.bytesOf(0) // => 16
 * steps.restore(start).t // => 0
 * ```
 */
export function gossipSteps(topology: Topology, options: GossipStepOptions) {
  const { n } = topology;
  const seed = integer("seed", options.seed ?? 0, 0);
  const type = oneOf("type", options.type ?? "float64", ["float64", "float32"]);
  const d = integer("d", options.d, 1);
  const around = oneOf("around", options.around ?? "start", ["start", "now"]);
  const pushSum = options.pushSum === true;
  const mixer = options.mixer ?? kernelMixer(n, type);
  if (mixer.n !== n) throw new InputError(`the mixer must be for the topology's n = ${n}`, mixer.n, `try n = ${n}`);
  const network = new Network(topology, options, seed);
  const latency = options.latency && checkLatency(n, options.latency);
  const meter = new Meter(n, latency, seed, topology.hierarchy?.groups);
  const stale = (options.stale ?? 0) > 0 ? new StaleMixer(mixer) : undefined;

  const initial = mixer.rows(d);
  fillStart(initial, d, options.x0 ?? "normal", seed);
  const mean = meanRow(initial, n);
  const weighted = pushSum ? mixer.rows(d + 1) : initial;
  if (pushSum) attachWeights(initial, d, weighted);
  /** With push-sum, the ratios that are reported instead of the rows. */
  const shownRatios = pushSum ? initial : undefined;
  const running = averaging(topology, weighted, n, (width) => mixer.rows(width));
  const bytes = initial.BYTES_PER_ELEMENT * (pushSum ? d + 1 : d);
  let ahead: Passage | undefined;
  /** Rounds done; -1 before the start was taken. */
  let done = -1;

  function step(square: number | undefined): GossipStep {
    const { x } = steps;
    const centre = around === "now" ? meanRow(x, n) : mean;
    return { t: done, error: Math.sqrt(square ?? squaredDistance(x, centre)), x };
  }

  const steps = {
    topology,
    mean,

    /** The next step: the start, then one round more each time. */
    take(): GossipStep {
      if (done >= 0) return step(steps.advance(true));
      done = 0;
      return step(undefined);
    },

    /** One round without its error; returns the squared distance to the mean of x(0) if it was measured on the way. */
    advance(measured = false): number | undefined {
      const t = Math.max(0, done);
      const passage = steps.ahead;
      // The distance can be measured during mixing only if the mixed rows are those that are reported.
      const plain = stale === undefined && !pushSum && topology.pair === undefined;
      const distance: Distance | undefined =
        measured && plain && around === "start" ? { mean, square: undefined } : undefined;
      drive(running, t, ({ vectors: [x], heard }: Mix) => {
        const { planned, round, split, down } = passage;
        meter.exchange(planned, bytes, t, down);
        if (heard !== undefined) unmarkUnheard(round, heard);
        return [stale?.mix(round, split, x) ?? mixer.mix(round, x, distance)];
      });
      done = t + 1;
      ahead = undefined;
      if (shownRatios !== undefined) ratios(running.state.x, d, shownRatios);
      return distance?.square;
    },

    /**
     * Round t of the network as the next step will apply it: which nodes hear each other, which messages are dropped, which
     * nodes are down. It is made once.
     */
    get ahead(): Passage {
      ahead ??= network.passage(Math.max(0, done));
      return ahead;
    },

    /**
     * ||mean of x(t) - mean of x(0)|| / ||mean of x(0)||: rounding only, unless directed messages were dropped, or any were stale.
     */
    get meanDrift(): number {
      const now = meanRow(steps.x, n);
      const change = norm(now.map((value, k) => value - mean[k]));
      const size = norm(mean);
      return size === 0 ? change : change / size;
    },

    /** The largest number of bytes that any node sent so far. */
    get bytes(): number {
      return meter.bytes;
    },

    /** Over a hierarchy: bytes sent to other groups so far by the group that sent most. */
    get between(): number | undefined {
      return meter.between;
    },

    bytesOf: (node: number): number => meter.bytesOf(integer("node", node, 0, n - 1)),

    get seconds(): number {
      return meter.seconds;
    },

    /** x(t): to be read before the next step. */
    get x(): Rows {
      return shownRatios ?? running.state.x;
    },

    save(): GossipState {
      const rows = Object.entries(running.state).map(([name, state]) => [name, state.slice()]);
      return {
        t: Math.max(0, done),
        rows: Object.fromEntries(rows),
        meter: meter.state(),
        ...defined({ shown: shownRatios?.slice(), earlier: stale?.earlier?.slice() }),
      };
    },

    /** Restores a saved state of this same gossip, and returns its step. */
    restore({ t, rows, meter: counted, shown, earlier }: GossipState): GossipStep {
      for (const [name, state] of Object.entries(running.state)) state.set(rows[name]);
      meter.restore(counted);
      if (stale !== undefined) stale.earlier = earlier?.slice();
      if (shown !== undefined) shownRatios?.set(shown);
      done = t;
      ahead = undefined;
      return step(undefined);
    },
  };
  return steps;
}

/** A running gossip. Made by gossipSteps. */
export type GossipSteps = ReturnType<typeof gossipSteps>;
