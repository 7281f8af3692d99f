/**
 * What a decentralised algorithm is, written once over rows: the simulator gives it all n rows, a real peer gives it
 * one. An iteration is a generator: it yields what is to be mixed and is handed back the mixed rows, so the same file is
 * driven without promises by the simulator and asynchronously by a peer.
 */

import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";

/** What an algorithm sees: some rows of the network (all of them, or one), and gradients at them. */
export interface World {
  /** Rows here: n in the simulator, 1 at a peer. */
  readonly count: number;
  /** Nodes in the whole network. */
  readonly n: number;
  /** The dimension of a model. */
  readonly d: number;
  /** The initial models, `count` rows of d; the algorithm takes them over. */
  readonly x0: Rows;
  /** New zeroed rows, `count` of the given width (default d). */
  rows(width?: number): Rows;
  /** Stochastic gradients at x in iteration t, written to `out`. One call per (x, t): the noise is a function of t. */
  gradient(x: Rows, t: number, out: Rows): void;
  /** gamma in iteration t. */
  learningRate(t: number): number;
  /** Numbers of (seed, round t) for compressors and the like: fills `out` with uniform 32-bit words, row by row. */
  words(t: number, out: Uint32Array): void;
}

/** What an iteration asks of the network. */
export interface Mix {
  /** Rows to be multiplied by W(t), `count` rows each, all in one exchange; given up by the algorithm. */
  readonly vectors: readonly Rows[];
  /** "topology" (default): W(t). "mean": an exact average in its place (all-reduce). */
  readonly by?: "topology" | "mean";
  /** Bytes one node sends to one peer for this exchange, where it is not simply the size of its rows (compression). */
  readonly bytes?: number;
}

/** An algorithm at work. */
export interface Running {
  /** The models and everything else that a checkpoint must hold; x is the models. Entries are replaced as it runs. */
  readonly state: { x: Rows; [name: string]: Rows };
  /** Iteration t = 0, 1, 2, ...: at its end state.x holds the iterate after t + 1 updates. */
  iterate(t: number): Generator<Mix, void, readonly Rows[]>;
}

/** A member of the algorithm registry: one file each. */
export interface Algorithm {
  readonly name: string;
  readonly summary: string;
  /** Its update equations, in one line. */
  readonly update: string;
  /** Vectors of d numbers that a node sends to each peer in an iteration. */
  readonly vectors: number;
  /** Whether it converges to the exact solution on heterogeneous data at a constant rate without noise. */
  readonly exact: boolean;
  /** Option names beside the learning rate, with their defaults. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** Why this topology does not fit, or undefined where it does; asked before the first round. */
  unfit(topology: Topology, options: Readonly<Record<string, unknown>>): string | undefined;
  start(world: World, options: Readonly<Record<string, unknown>>): Running;
}
