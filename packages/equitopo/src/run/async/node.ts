/**
 * One node of asynchronous rounds: its algorithm on its one row, and what it holds of others. The simulator, a replay and a
 * real peer share it; they differ in what they put into the inbox, and when.
 *
 * Its iterations k = 0, 1, 2, ... are its own: they number its gradients, batches and noise. Rounds belong to the network:
 * they number the schedule and the learning rate.
 */

import type { Algorithm, Running, State } from "../../algorithm/algorithm.ts";
import type { Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import { isDropped } from "../../faults/chance.ts";
import { InputError } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";
import { requireFeatures } from "../features/driver.ts";
import { featuresIn } from "../features/feature.ts";
import type { Step } from "./history.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import type { AsyncMode } from "./mode.ts";

interface SavedNode {
  /** Its iterations so far, and its last round. */
  readonly iterations: number;
  readonly round: number;
  /** All its states, or its models alone. */
  readonly state?: Readonly<State>;
  readonly x0?: Rows;
}

export interface NodeOptions {
  readonly topology: Topology;
  /** Made for all nodes, or for this one's share. */
  readonly problem: Problem;
  readonly optimiser: Optimiser;
  readonly seed: number;
  readonly type: "float64" | "float32";
  readonly mode: Omit<AsyncMode, "mode">;
  readonly rank: number;
  /** The share of messages that are dropped on purpose. */
  readonly drop?: number | undefined;
  /** Where it continues; it starts from the beginning if left out. */
  readonly saved?: SavedNode | undefined;
}

/** Iterations over which a node's pace is measured. */
const window = 16;
/** Weight below which a node sends no share: halved again and again it would become 0, and 0 / 0 is no model. */
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
    requireFeatures("simulator-async", featuresIn({ topology, optimiser, compensate: mode.compensate }));
    const kind = optimiser.algorithm.async as "models" | "shares";
    const dropped = drop && ((t: number, from: number, to: number) => isDropped(drop, seed, t, from, to, false));
    this.inbox = createInbox(kind, { topology, rank, maxStale: mode.maxStale, dropped: dropped || undefined });
    const rate = () => optimiser.learningRate(this.round + 1);
    const times = kind === "shares" ? () => this.#weight() : mode.compensate ? () => this.#span() : () => 1;
    const learningRate = () => times() * rate();
    const rows = (width: number) => newRow(type, width);
    const world = createWorld({ topology, problem, seed, first: rank, count: 1, rows, learningRate });
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
      throw new InputError("an asynchronous iteration exchanges uncompressed vectors", "none", "see Algorithm.async");
    }
    this.#iteration = iteration;
    this.#vectors = value.vectors;
    return value.vectors;
  }

  /**
   * The rest of the iteration, exchanged as this round, or by itself if that is undefined. If vectors were exchanged they
   * belong to the caller from then on, who may give them back (`free`). `gone` says which nodes are known to be gone.
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

  /** Takes back vectors that nobody reads any more. */
  free(vectors: readonly Rows[]): void {
    this.#spare.push(...vectors);
    if (this.#spare.length > 8) this.#spare.splice(0, this.#spare.length - 8);
  }

  /** Rounds of the network per iteration of this node, lately: how many rounds a gradient counts for. */
  #span(): number {
    const iterations = this.#begun.length - 1;
    return iterations === 0 ? 1 : (this.#begun[iterations] - this.#begun[0]) / iterations;
  }

  /** Push-sum's weight, which is the last share. */
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

export const newRow = (type: "float64" | "float32", length: number): Rows =>
  type === "float64" ? new Float64Array(length) : new Float32Array(length);
