/**
 * Gossip a round at a time: x(t+1) = W(t) x(t) (or CECA's rule, over two vectors a node), over a network that may fail.
 * Each step says what the network is like after so many rounds; a state can be saved and gone back to, so that whoever
 * looks at rounds can go through them in both directions. `gossip` (gossip.ts) is these steps, written down.
 */

import type { Mix, Running } from "../algorithm/algorithm.ts";
import { averaging } from "../algorithm/averaging.ts";
import { drive } from "../algorithm/drive.ts";
import { Meter } from "../algorithm/meter.ts";
import { checkLatency } from "../faults/latency.ts";
import { type Faults, Network, type Passage } from "../faults/network.ts";
import { attachWeights, ratios } from "../faults/push-sum.ts";
import { StaleMixer } from "../faults/stale.ts";
import { InputError, integer, oneOf } from "../input/input.ts";
import { type Distance, meanRow, squaredDistance } from "../round/distance.ts";
import { unmarkUnheard } from "../round/heard.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { fillStart, type Start } from "./start.ts";

export interface GossipStepOptions extends Faults {
  /** Numbers per node. */
  readonly d: number;
  /** Of the initial state and of the faults; 0 by default. (The topology has its own.) */
  readonly seed?: number;
  /** The initial n x d numbers, or what they are called; standard normals by default. */
  readonly x0?: ArrayLike<number> | Start;
  readonly type?: "float64" | "float32";
  /**
   * Errors are distances to the mean of x(0), or, "now", to the mean of x(t): how far nodes are from agreeing, be it on a
   * mean that faults have moved.
   */
  readonly around?: "start" | "now";
  /** Who applies the rounds; kernelMixer by default. */
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

/** All that is needed to go on from a round: copies. */
export interface GossipState {
  readonly t: number;
  readonly rows: Readonly<Record<string, Rows>>;
  readonly meter: Readonly<Record<string, Float64Array>>;
  readonly shown?: Rows;
  readonly earlier?: Rows;
}

/** The names of the options, for those who check theirs. */
export const stepOptionNames = [
  ...["d", "seed", "x0", "type", "around", "mixer"],
  ...["drop", "crash", "cut", "latency", "pushSum", "absent", "stale"],
];

/**
 * Steps without an end: the first is the start, t = 0. A step costs what a round does, and O(n d) for the error.
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
export function gossipSteps(topology: Topology, options: GossipStepOptions): GossipSteps {
  return new GossipSteps(topology, options);
}

/** A running gossip. Made by gossipSteps. */
export class GossipSteps {
  readonly topology: Topology;
  /** The mean of x(0). */
  readonly mean: Float64Array;
  readonly #d: number;
  readonly #pushSum: boolean;
  readonly #around: "start" | "now";
  readonly #mixer: Mixer;
  readonly #network: Network;
  readonly #meter: Meter;
  readonly #stale: StaleMixer | undefined;
  readonly #running: Running;
  readonly #bytes: number;
  /** What nodes say they hold: the rows themselves, or with push-sum what they come to. */
  #shown: Rows;
  #ahead: Passage | undefined;
  /** Rounds done; -1 before the start was looked at. */
  #t = -1;

  constructor(topology: Topology, options: GossipStepOptions) {
    const { n } = topology;
    const seed = integer("seed", options.seed ?? 0, 0);
    const type = oneOf("type", options.type ?? "float64", ["float64", "float32"]);
    this.topology = topology;
    this.#d = integer("d", options.d, 1);
    this.#around = oneOf("around", options.around ?? "start", ["start", "now"]);
    this.#pushSum = options.pushSum === true;
    const mixer = options.mixer ?? kernelMixer(n, type);
    if (mixer.n !== n) throw new InputError(`the mixer must be for the topology's n = ${n}`, mixer.n, `try n = ${n}`);
    this.#mixer = mixer;
    this.#network = new Network(topology, options, seed);
    this.#meter = new Meter(
      n,
      options.latency === undefined ? undefined : checkLatency(n, options.latency),
      seed,
      topology.hierarchy?.groups,
    );
    this.#stale = (options.stale ?? 0) > 0 ? new StaleMixer(mixer) : undefined;

    const initial = mixer.rows(this.#d);
    fillStart(initial, this.#d, options.x0 ?? "normal", seed);
    this.mean = meanRow(initial, n);
    const weighted = this.#pushSum ? mixer.rows(this.#d + 1) : initial;
    if (this.#pushSum) attachWeights(initial, this.#d, weighted);
    this.#running = averaging(topology, weighted, n, (width) => mixer.rows(width));
    this.#shown = initial;
    this.#bytes = initial.BYTES_PER_ELEMENT * (this.#pushSum ? this.#d + 1 : this.#d);
  }

  /** The next step: the start, then one round more each time. */
  take(): GossipStep {
    if (this.#t < 0) {
      this.#t = 0;
      return this.#step(undefined);
    }
    const distance = this.advance(true);
    return this.#step(distance);
  }

  /** One round, without looking at what it came to; the distance to the mean of x(0) where it was measured on the way. */
  advance(measured = false): number | undefined {
    const t = Math.max(0, this.#t);
    const passage = this.#passage(t);
    // Only the plain case can be measured while it is mixed: elsewhere what is mixed is not what is shown.
    const plain = this.#stale === undefined && !this.#pushSum && this.topology.pair === undefined;
    const distance: Distance | undefined =
      measured && plain && this.#around === "start" ? { mean: this.mean, square: undefined } : undefined;
    drive(this.#running, t, ({ vectors: [x], heard }: Mix) => {
      const { planned, round, split, down } = passage;
      this.#meter.exchange(planned, this.#bytes, t, down);
      if (heard !== undefined) unmarkUnheard(round, heard);
      return [this.#stale?.mix(round, split, x) ?? this.#mixer.mix(round, x, distance)];
    });
    this.#t = t + 1;
    this.#ahead = undefined;
    if (this.#pushSum) ratios(this.#running.state.x, this.#d, this.#shown);
    else this.#shown = this.#running.state.x;
    return distance?.square;
  }

  /** Round t of the network as it will be gone through by the next step: who hears whom, what is lost, who is down. */
  get ahead(): Passage {
    return this.#passage(Math.max(0, this.#t));
  }

  /** ||mean of x(t) - mean of x(0)|| / ||mean of x(0)||: rounding only, unless directed messages were lost, or any stale. */
  get meanDrift(): number {
    const now = meanRow(this.#shown, this.topology.n);
    const norm = (row: Float64Array) => Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    const change = norm(now.map((value, k) => value - this.mean[k]));
    const size = norm(this.mean);
    return size === 0 ? change : change / size;
  }

  /** The largest number of bytes that any node sent so far. */
  get bytes(): number {
    return this.#meter.bytes;
  }

  /** Bytes that the group which sent most of them sent to others so far, over a hierarchy. */
  get between(): number | undefined {
    return this.#meter.between;
  }

  bytesOf(node: number): number {
    return this.#meter.bytesOf(integer("node", node, 0, this.topology.n - 1));
  }

  /** Simulated seconds so far. */
  get seconds(): number {
    return this.#meter.seconds;
  }

  /** x(t): to be read before the next step. */
  get x(): Rows {
    return this.#shown;
  }

  save(): GossipState {
    const rows = Object.entries(this.#running.state).map(([name, state]) => [name, state.slice()]);
    const earlier = this.#stale?.earlier;
    return {
      t: Math.max(0, this.#t),
      rows: Object.fromEntries(rows),
      meter: this.#meter.state(),
      ...(this.#pushSum ? { shown: this.#shown.slice() } : {}),
      ...(earlier === undefined ? {} : { earlier: earlier.slice() }),
    };
  }

  /** Goes to a state that was saved of this same gossip; what is there. */
  restore({ t, rows, meter, shown, earlier }: GossipState): GossipStep {
    for (const [name, state] of Object.entries(this.#running.state)) state.set(rows[name]);
    this.#meter.restore(meter);
    if (this.#stale !== undefined) this.#stale.earlier = earlier?.slice();
    if (shown === undefined) this.#shown = this.#running.state.x;
    else this.#shown.set(shown);
    this.#t = t;
    this.#ahead = undefined;
    return this.#step(undefined);
  }

  /** A passage is made once, whether it is looked at first or not. */
  #passage(t: number): Passage {
    this.#ahead ??= this.#network.passage(t);
    return this.#ahead;
  }

  #step(square: number | undefined): GossipStep {
    const x = this.#shown;
    const mean = this.#around === "now" ? meanRow(x, this.topology.n) : this.mean;
    return { t: this.#t, error: Math.sqrt(square ?? squaredDistance(x, mean)), x };
  }
}
