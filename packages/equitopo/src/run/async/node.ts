/**
 * One node of asynchronous rounds: its algorithm on its one row, and what it holds of others. The simulator, a replay and a
 * real peer share it; they differ in what they put into the inbox, and when.
 *
 * Its iterations k = 0, 1, 2, ... are its own: they number its gradients, batches and noise. Rounds belong to the network:
 * they number the schedule and the learning rate.
 */

import type { State } from "../../algorithm/algorithm.ts";
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
import { createInbox } from "./inbox.ts";
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

export type AsyncNode = ReturnType<typeof asyncNode>;

export function asyncNode({ topology, problem, optimiser, seed, type, mode, rank, drop, saved }: NodeOptions) {
  requireFeatures("simulator-async", featuresIn({ topology, optimiser, compensate: mode.compensate }));
  const { async: kind, states } = optimiser.algorithm;
  const dropped = drop && ((t: number, from: number, to: number) => isDropped(drop, seed, t, from, to, false));
  const inbox = createInbox(kind as "models" | "shares", {
    ...{ topology, rank, maxStale: mode.maxStale, dropped: dropped || undefined },
  });
  /** The rounds at which its last iterations began, the oldest first. */
  const begun: number[] = [];
  /** Rounds of the network per iteration of this node, lately: how many rounds a gradient counts for. */
  const span = () => (begun.length < 2 ? 1 : ((begun.at(-1) as number) - begun[0]) / (begun.length - 1));
  /** Push-sum's weight, which is the last share. */
  const weight = () => {
    const name = Object.keys(states).findLast((state) => states[state] === "share") as string;
    return running.state[name][0];
  };
  const times = kind === "shares" ? weight : mode.compensate ? span : () => 1;
  const learningRate = () => times() * optimiser.learningRate(node.round + 1);
  const rows = (width: number) => newRow(type, width);
  const world = createWorld({ topology, problem, seed, first: rank, count: 1, rows, learningRate });
  const running = optimiser.start(saved?.x0 === undefined ? world : { ...world, x0: saved.x0 }, saved?.state);
  let iteration: Generator<unknown, void, readonly Rows[]> | undefined;
  let vectors: readonly Rows[] = [];
  const spare: Rows[] = [];
  const memory = (length: number) => {
    const at = spare.findIndex((one) => one.length === length);
    return at >= 0 ? spare.splice(at, 1)[0] : rows(length);
  };

  const node = {
    ...{ rank, inbox },
    /** Iterations done, and the last round that it exchanged as; -1 before any. */
    iterations: saved?.iterations ?? 0,
    round: saved?.round ?? -1,

    /** Entries are replaced as it runs: read them between iterations, and keep none. */
    get state(): State {
      return running.state;
    },

    /** The next iteration up to its exchange: a gradient, and the vectors that are to be exchanged. */
    compute(): readonly Rows[] {
      begun.push(node.round);
      if (begun.length > window + 1) begun.shift();
      const begins = running.iterate(node.iterations);
      const { value, done } = begins.next();
      if (done || value.by === "mean" || value.coded !== undefined) {
        throw new InputError("an asynchronous iteration exchanges uncompressed vectors", "none", "see Algorithm.async");
      }
      iteration = begins;
      vectors = value.vectors;
      return vectors;
    },

    /**
     * The rest of the iteration, exchanged as this round, or by itself if that is undefined. If vectors were exchanged they
     * belong to the caller from then on, who may give them back (`free`). `gone` says which nodes are known to be gone.
     */
    exchange(round: number | undefined, gone: (node: number) => boolean = () => false): Step {
      const alone = round === undefined;
      const mixed = alone ? vectors : vectors.map((row) => memory(row.length));
      const kept = alone ? [] : inbox.kept(round, (other) => gone(other) || weight() < leastWeight);
      const used = alone ? [] : inbox.mix(round, vectors, mixed, kept);
      if (!iteration?.next(mixed).done) {
        throw new InputError("an asynchronous iteration makes one exchange", "a second one", "see Algorithm.async");
      }
      node.iterations++;
      if (alone) return { used };
      node.round = round;
      return kept.length === 0 ? { round, used } : { round, used, kept };
    },

    /** Takes back vectors that nobody reads any more. */
    free(given: readonly Rows[]): void {
      spare.push(...given);
      if (spare.length > 8) spare.splice(0, spare.length - 8);
    },
  };
  return node;
}

export const newRow = (type: "float64" | "float32", length: number): Rows =>
  type === "float64" ? new Float64Array(length) : new Float32Array(length);
