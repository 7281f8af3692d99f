/**
 * Averaging alone:  x_i <- sum_j w_ij(t) x_j (algorithm/averaging.ts has the rule) until all hold the mean. No peer collects
 * anything or says when to stop: every peer knows the topology, so it knows after how many rounds the disagreement has
 * shrunk by the tolerance (by the exact norm of the rounds' product; in mean square where the rounds are random).
 *
 * Weighted means, and directed rounds whose messages may be dropped, carry the weight beside the value (push-sum): (w x, w)
 * is mixed and the answer is the ratio. If a message is dropped, that is still a weighted mean of what arrived.
 */

import { averaging } from "../../algorithm/averaging.ts";
import { driveAsync } from "../../algorithm/drive.ts";
import { defined, InputError, integer, real } from "../../input/input.ts";
import { predictedRounds } from "../../rate/prediction.ts";
import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";
import { allocate, typeOf } from "../exchange/transport.ts";
import { Encounters } from "./encounters.ts";
import { ratio, weighted } from "./evaluation.ts";
import { mixingOf, stepsOf } from "./group-mixing.ts";
import type { MixingOptions, Mixture } from "./mixing.ts";

export interface AverageOptions extends Omit<MixingOptions, "missing"> {
  /** By how much the disagreement is to shrink. Default 1e-6. */
  readonly tolerance?: number;
  /** Rounds to do instead. */
  readonly rounds?: number;
  /** This peer's weight in a weighted mean; all peers must give one, or none. */
  readonly weight?: number;
  /** Whether a mean that lacks partners never heard is accepted: of those that live, or of an island. Default false. */
  readonly partial?: boolean;
  /** The number of the first round on this transport; all peers must agree. Default 0. */
  readonly first?: number;
}

export interface Average {
  readonly mean: Rows;
  /** Where the next use of the transport may begin. */
  readonly next: number;
  /** Messages that did not come. */
  readonly missed: number;
  /** Partners that were never heard: the mean may lack their vectors. */
  readonly neverHeard: readonly number[];
}

/** After so many encounters in vain a partner counts as absent, not as unlucky. */
const inVain = 3;

/**
 * The mean of all peers' vectors, at every peer. Each calls it with its own vector, which is left as it is. One exchange
 * a round, `prediction` says how many rounds. Rejects if no partner answered in any of them; and, unless `rounds` or
 * `partial` is given, if a partner that was due three times was never heard: the result would then be the mean of an
 * island, or of those that live. Over a static graph only the peers beside the gap can notice it; with a `gather` before
 * it all peers know.
 *
 * @example
 * ```ts
 * import { ouEquiDyn } from "equitopo";
 * import { average, MemoryNetwork } from "equitopo/peer";
 * const topology = ouEquiDyn({ n: 5 });
 * const network = new MemoryNetwork(5);
 * const peers = [0, 1, 2, 3, 4].map((rank) => network.join(rank));
 * const results = await Promise.all(
 *   peers.map((transport) => average(Float64Array.of(transport.rank), { transport, topology })),
 * );
 * results.map(({ mean }) => mean[0].toFixed(4)).join(" ") // => "2.0000 2.0000 2.0000 2.0000 2.0000"
 * ```
 */
export async function average(vector: Rows, options: AverageOptions): Promise<Average> {
  const { topology, weight } = options;
  const first = integer("first", options.first ?? 0, 0);
  const rounds = countRounds(options);
  if (weight !== undefined) real("weight", weight, { min: 0, max: Number.POSITIVE_INFINITY, open: "max" }, 1);
  requireKeptMean(topology);
  // With two vectors a node, rows sum to 1 whatever is dropped: a weight beside the value would add nothing.
  const carried = weight !== undefined || (!topology.symmetric && topology.pair === undefined);
  const mixing = mixingOf({ ...options, missing: "drop" });
  const row = carried ? weighted(vector, weight) : vector.slice();
  const running = averaging(topology, row, 1, (width) => allocate(typeOf(row), width) as Rows);
  let missed = 0;
  const encounters = new Encounters();
  for (let t = first; t < first + rounds; t++) {
    await driveAsync(running, t, async (mix, turn) => {
      const mixed = await mixing.finish(mixing.start(mix, turn));
      encounters.note(mixing.report);
      missed += mixing.report.missing.length;
      return mixed;
    });
  }
  const { planned, done } = encounters.tally;
  const { rank, size } = options.transport;
  const fail = (whom: string, then: string): never => {
    throw new Error(`peer ${rank}: ${whom} in ${rounds} rounds of ${topology.name}${then}`);
  };
  if (planned > 0 && done === 0) {
    fail("nobody answered", `; are the other ${size - 1} peers running, and can they be reached?`);
  }
  const silent = options.partial || options.rounds !== undefined ? [] : encounters.silent(inVain);
  if (silent.length > 0) {
    const whom = `no word of peer${silent.length === 1 ? "" : "s"} ${silent.join(", ")}`;
    fail(whom, ", so this is not the mean of all; meet first (gather), or say partial: true");
  }
  const { x } = running.state;
  const mean = carried ? ratio(x) : x.slice();
  return { mean, next: stepsOf(topology) * (first + rounds), missed, neverHeard: encounters.neverHeard };
}

/** Row-stochastic rounds agree on something else than the mean. */
function requireKeptMean({ name, stochastic }: Topology): void {
  if (stochastic !== "rows") return;
  throw new InputError("averaging needs a W whose columns sum to 1", `${name}, row-stochastic only`, "choose another");
}

function countRounds({ topology, tolerance = 1e-6, rounds, first = 0 }: AverageOptions): number {
  if (rounds !== undefined) return integer("rounds", rounds, 0);
  real("tolerance", tolerance, { min: 0, max: 1, open: "both" }, 1e-6);
  const predicted = predictedRounds(topology, tolerance, first);
  if (predicted === Number.POSITIVE_INFINITY) {
    throw new InputError("the topology must reach consensus", topology.name, "choose another, or say how many rounds");
  }
  return predicted;
}

/** The greatest of nothing, as it travels: vectors with infinite numbers are refused. */
const none = -Number.MAX_VALUE;

export interface AggregationOptions extends Omit<MixingOptions, "missing"> {
  /** Numbers that each peer contributes. */
  readonly length: number;
  readonly first?: number;
}

/**
 * A running summary of values that change: each peer sets its own whenever it likes and takes part in round after round;
 * at every time each peer has an estimate of the mean, the sum, the weighted mean, the least and the greatest.
 *
 * Means follow by dynamic averaging, s <- W s + (change of the own contribution), so that the sum over all s is always
 * the sum of what was set. Extremes are passed on for a span of rounds, long enough for everyone to have heard of everyone
 * (W^k > 0 everywhere once rate^k < 1/n, with a margin for random rounds), and then begin anew, because a maximum that is
 * gone cannot be taken back; reported are those of the last whole span.
 */
export class Aggregation {
  readonly #options: AggregationOptions;
  readonly #mixing: Mixture;
  readonly #length: number;
  /** The sum of what this peer contributes and its weight; what has changed of it since the last round. */
  readonly #own: Float64Array;
  readonly #change: Float64Array;
  readonly #span: number;
  #tracked: Rows;
  /** Greatest values, then the negatives of the least. */
  #extremes: Float64Array;
  #reported: Float64Array;
  #t: number;

  constructor(options: AggregationOptions) {
    const { length, topology } = options;
    requireKeptMean(topology);
    if (topology.pair !== undefined) {
      throw new InputError("an aggregation needs one vector a node", topology.name, "choose another topology");
    }
    this.#options = options;
    this.#length = integer("length", length, 1);
    this.#t = integer("first", options.first ?? 0, 0);
    this.#mixing = mixingOf({ ...options, missing: "drop" });
    this.#own = new Float64Array(length + 1);
    this.#change = new Float64Array(length + 1);
    this.#tracked = new Float64Array(length + 1);
    this.#extremes = new Float64Array(2 * length).fill(none);
    this.#reported = this.#extremes;
    this.#span = Math.min(predictedRounds(topology, 1 / topology.n ** 2, "any"), 4 * topology.n);
  }

  /** This peer's contribution from now on; weight 0 takes it out. */
  set(values: ArrayLike<number>, weight = 1): void {
    if (values.length !== this.#length) {
      throw new InputError(`a contribution has ${this.#length} numbers`, values.length, "set as many");
    }
    for (let k = 0; k <= this.#length; k++) {
      const value = k < this.#length ? weight * values[k] : weight;
      this.#change[k] += value - this.#own[k];
      this.#own[k] = value;
    }
  }

  async step(): Promise<void> {
    const t = this.#t++;
    for (let k = 0; k <= this.#length; k++) this.#tracked[k] += this.#change[k];
    this.#change.fill(0);
    [this.#tracked] = await this.#mixing.finish(
      this.#mixing.start({ vectors: [this.#tracked] }, { round: t, exchange: t }, this.#number(t)),
    );
    if (t % this.#span === 0) {
      const weight = this.#own[this.#length];
      for (let k = 0; k < this.#length; k++) {
        this.#extremes[k] = weight > 0 ? this.#own[k] / weight : none;
        this.#extremes[this.#length + k] = weight > 0 ? -this.#own[k] / weight : none;
      }
    }
    await this.#spread(t);
    if ((t + 1) % this.#span === 0) this.#reported = this.#extremes.slice();
  }

  /** Of round t on the transport: the extremes have the last number before the next one's. */
  #number(t: number): number {
    return (stepsOf(this.#options.topology) + 1) * t;
  }

  async #spread(t: number): Promise<void> {
    const { transport, topology, timeout, signal } = this.#options;
    const { from, to } = topology.peers(t, transport.rank);
    const data = this.#extremes;
    const outcome = await transport.exchange({
      ...{ round: this.#number(t + 1) - 1, signal, ...defined({ timeout }) },
      send: to.map(({ node }) => ({ peer: node, data })),
      receive: from.map(({ node }) => ({ peer: node, length: data.length, type: "float64" })),
    });
    const next = data.slice();
    for (const other of outcome.arrived) {
      if (other !== undefined) for (let k = 0; k < next.length; k++) next[k] = Math.max(next[k], other[k]);
    }
    if (outcome.release().length === 0) this.#extremes = next;
  }

  /** The (weighted) mean of the contributions; NaN before any weight has arrived. */
  get mean(): Float64Array {
    return Float64Array.from({ length: this.#length }, (_, k) => this.#tracked[k] / this.#tracked[this.#length]);
  }

  /** The (weighted) sum: n times the mean of all peers' shares. Dropped messages lower it, but not the mean. */
  get sum(): Float64Array {
    const { n } = this.#options.topology;
    return Float64Array.from({ length: this.#length }, (_, k) => n * this.#tracked[k]);
  }

  /** The least of the contributions; Infinity where there are none. */
  get min(): Float64Array {
    return this.#greatest(this.#length, 2 * this.#length).map((value) => -value);
  }

  /** The greatest; -Infinity where there are none. */
  get max(): Float64Array {
    return this.#greatest(0, this.#length);
  }

  #greatest(from: number, to: number): Float64Array {
    return this.#reported.slice(from, to).map((value) => (value === none ? Number.NEGATIVE_INFINITY : value));
  }
}
