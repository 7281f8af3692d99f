/**
 * One node of asynchronous rounds: its algorithm on its one row, and what it has of others. The same in the simulator, in
 * a replay and as a real peer: these differ in what is put into the inbox, and when.
 */

import type { Running, State } from "../../algorithm/algorithm.ts";
import type { Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
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
  /** The state that it goes on from, and the round before it: at the beginning where left out. */
  readonly saved?: { readonly state: Readonly<State>; readonly round: number } | undefined;
}

export class AsyncNode {
  readonly rank: number;
  readonly inbox: Inbox;
  readonly #running: Running;
  readonly #type: "float64" | "float32";
  /** The iteration before, and how many rounds the one under way stands for. */
  #before: number;
  #span = 1;
  #iteration: Generator<unknown, void, readonly Rows[]> | undefined;
  #t = -1;
  #vectors: readonly Rows[] = [];
  readonly #spare: Rows[] = [];

  constructor({ topology, problem, optimiser, seed, type, mode, rank, saved }: NodeOptions) {
    this.rank = rank;
    this.#type = type;
    this.#before = saved?.round ?? -1;
    const kind = requireAsync(optimiser.algorithm);
    this.inbox = createInbox(kind, { topology, rank, maxStale: mode.maxStale });
    const { learningRate } = optimiser;
    const world = createWorld({
      ...{ topology, problem, seed, first: rank, count: 1, rows: (width) => newRow(type, width) },
      learningRate: mode.compensate ? (t) => this.#span * learningRate(t) : learningRate,
    });
    this.#running = optimiser.start(world, saved?.state);
  }

  /** Entries are replaced as it runs: read them between exchanges, and keep none. */
  get state(): State {
    return this.#running.state;
  }

  /** Iteration t up to its exchange: gradients, and the vectors that are to be exchanged. */
  compute(t: number): readonly Rows[] {
    this.#span = t - this.#before;
    this.#before = t;
    this.#t = t;
    const iteration = this.#running.iterate(t);
    const { value, done } = iteration.next();
    if (done || value.by === "mean" || value.coded !== undefined) {
      throw new InputError(
        "an asynchronous iteration makes one exchange, of vectors as they are",
        t,
        "see Algorithm.async",
      );
    }
    this.#iteration = iteration;
    this.#vectors = value.vectors;
    return value.vectors;
  }

  /** The rest of the iteration, exchanged as this round. Its vectors are the caller's from now on, to be given back. */
  exchange(round: number): Step {
    const mixed = this.#vectors.map((row) => this.#memory(row.length));
    const used = this.inbox.mix(round, this.#vectors, mixed);
    if (!this.#iteration?.next(mixed).done) {
      throw new InputError("an asynchronous iteration makes one exchange", "a second one", "see Algorithm.async");
    }
    return { t: this.#t, round, used };
  }

  /** Vectors that nobody reads any more. */
  free(vectors: readonly Rows[]): void {
    this.#spare.push(...vectors);
    if (this.#spare.length > 8) this.#spare.splice(0, this.#spare.length - 8);
  }

  #memory(length: number): Rows {
    const at = this.#spare.findIndex((spare) => spare.length === length);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : newRow(this.#type, length);
  }
}

function newRow(type: "float64" | "float32", length: number): Rows {
  return type === "float64" ? new Float64Array(length) : new Float32Array(length);
}
