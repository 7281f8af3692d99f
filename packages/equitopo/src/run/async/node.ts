/**
 * One node of asynchronous rounds: its algorithm on its one row, and what it has of others. The same in the simulator, in
 * a replay and as a real peer: these differ in what is put into the inbox, and when.
 *
 * Its iterations k = 0, 1, 2, ... are its own: its gradients, batches and noise go by them. Rounds are the network's: the
 * schedule and the learning rate go by these.
 */

import type { Algorithm, Running, State } from "../../algorithm/algorithm.ts";
import type { Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import { isLost } from "../../faults/drop.ts";
import { InputError } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";
import type { Step } from "./history.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { type AsyncMode, requireAsync } from "./mode.ts";

export interface NodeOptions {
  readonly topology: Topology;
  /** Of all nodes, or of this one's share. */
  readonly problem: Problem;
  readonly optimiser: Optimiser;
  readonly seed: number;
  readonly type: "float64" | "float32";
  readonly mode: Omit<AsyncMode, "mode">;
  readonly rank: number;
  /** The share of what is sent that is lost on purpose. */
  readonly drop?: number | undefined;
  /** Where it goes on: the state, its iterations so far and its last round. At the beginning where left out. */
  readonly saved?:
    | {
        readonly iterations: number;
        readonly round: number;
        /** All that it had, or its models alone. */
        readonly state?: Readonly<State>;
        readonly x0?: Rows;
      }
    | undefined;
}

/** Iterations over which a node's pace is taken. */
const window = 16;
/** Weight below which a node gives nothing away: half of it again and again is nothing in the end, and 0 / 0 no model. */
const leastWeight = 2 ** -64;

export class AsyncNode {
  readonly rank: number;
  readonly inbox: Inbox;
  /** Iterations done, and the last round that it exchanged as; -1 before any. */
  iterations = 0;
  round = -1;
  readonly #algorithm: Algorithm;
  readonly #running: Running;
  readonly #type: "float64" | "float32";
  /** The rounds at which its last iterations began, the oldest first. */
  readonly #begun: number[] = [];
  #iteration: Generator<unknown, void, readonly Rows[]> | undefined;
  #vectors: readonly Rows[] = [];
  readonly #spare: Rows[] = [];

  constructor({ topology, problem, optimiser, seed, type, mode, rank, drop, saved }: NodeOptions) {
    this.rank = rank;
    this.#type = type;
    this.#algorithm = optimiser.algorithm;
    this.iterations = saved?.iterations ?? 0;
    this.round = saved?.round ?? -1;
    const kind = requireAsync(optimiser.algorithm);
    const lost = drop && ((round: number, from: number, to: number) => isLost(drop, seed, round, from, to, false));
    this.inbox = createInbox(kind, { topology, rank, maxStale: mode.maxStale, lost: lost || undefined });
    const rate = () => optimiser.learningRate(this.round + 1);
    const world = createWorld({
      ...{ topology, problem, seed, first: rank, count: 1, rows: (width) => newRow(type, width) },
      learningRate:
        kind === "shares" ? () => this.#weight() * rate() : mode.compensate ? () => this.#span() * rate() : rate,
    });
    this.#running = optimiser.start(saved?.x0 === undefined ? world : { ...world, x0: saved.x0 }, saved?.state);
  }

  /** Entries are replaced as it runs: read them between iterations, and keep none. */
  get state(): State {
    return this.#running.state;
  }

  /** The next iteration up to its exchange: a gradient, and the vectors that are to be exchanged. */
  compute(): readonly Rows[] {
    this.#begun.push(this.round);
    if (this.#begun.length > window + 1) this.#begun.shift();
    const iteration = this.#running.iterate(this.iterations);
    const { value, done } = iteration.next();
    if (done || value.by === "mean" || value.coded !== undefined) {
      throw new InputError("an asynchronous iteration exchanges vectors as they are", "none", "see Algorithm.async");
    }
    this.#iteration = iteration;
    this.#vectors = value.vectors;
    return value.vectors;
  }

  /**
   * The rest of the iteration, exchanged as this round; by itself where that is undefined. Its vectors are the caller's
   * from then on, to be given back, where they were exchanged. `gone` says who is known not to be there.
   */
  exchange(round: number | undefined, gone: (node: number) => boolean = () => false): Step {
    const vectors = this.#vectors;
    const mixed = round === undefined ? vectors : vectors.map((row) => this.#memory(row.length));
    const kept =
      round === undefined ? [] : this.inbox.kept(round, (node) => gone(node) || this.#weight() < leastWeight);
    const used = round === undefined ? [] : this.inbox.mix(round, vectors, mixed, kept);
    if (!this.#iteration?.next(mixed).done) {
      throw new InputError("an asynchronous iteration makes one exchange", "a second one", "see Algorithm.async");
    }
    this.iterations++;
    if (round === undefined) return { used };
    this.round = round;
    return kept.length === 0 ? { round, used } : { round, used, kept };
  }

  /** Vectors that nobody reads any more. */
  free(vectors: readonly Rows[]): void {
    this.#spare.push(...vectors);
    if (this.#spare.length > 8) this.#spare.splice(0, this.#spare.length - 8);
  }

  /** Rounds of the network for each of this node's iterations, of late: what a gradient stands for. */
  #span(): number {
    const iterations = this.#begun.length - 1;
    return iterations === 0 ? 1 : (this.#begun[iterations] - this.#begun[0]) / iterations;
  }

  /** Push-sum's weight: the share that is one number. */
  #weight(): number {
    const { states } = this.#algorithm;
    const name = Object.keys(states).findLast((state) => states[state] === "share") as string;
    return this.state[name][0];
  }

  #memory(length: number): Rows {
    const at = this.#spare.findIndex((spare) => spare.length === length);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : newRow(this.#type, length);
  }
}

function newRow(type: "float64" | "float32", length: number): Rows {
  return type === "float64" ? new Float64Array(length) : new Float32Array(length);
}
