/**
 * What a decentralised algorithm is, written once over rows: the simulator gives it all n rows, a real peer gives it
 * one. An iteration is a generator: it yields what is to be mixed and is handed back the mixed rows, so the same file is
 * driven without promises by the simulator and asynchronously by a peer (drive.ts).
 */

import { InputError } from "../input/input.ts";
import type { Option, Values } from "../input/option.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import type { Codec } from "./compressor.ts";
import type { Condition } from "./condition.ts";
import type * as passes from "./rows.ts";

/** What can be done to rows: the functions of rows.ts. */
export type RowPasses = typeof passes;

/** What an algorithm sees: some rows of the network (all of them, or one), and gradients at them. */
export interface World {
  /** Rows here: n in the simulator, 1 at a peer. */
  readonly count: number;
  /** Nodes in the whole network. */
  readonly n: number;
  /** The dimension of a model. */
  readonly d: number;
  /** Who talks to whom; the algorithm's condition holds for it. */
  readonly topology: Topology;
  /** The initial models, `count` rows of d; the algorithm takes them over. */
  readonly x0: Rows;
  /**
   * New zeroed rows, `count` of the given width (default d). Asked for in `start` they lie where the mixer's kernels
   * reach; inside an iteration they are ordinary memory, collected once nobody holds them, and mixed more slowly.
   */
  rows(width?: number): Rows;
  /**
   * Stochastic gradients at x, written to `out`. t numbers the point: X_0 is where all start and X_t what iteration
   * t - 1 left. Called once for each t, in order; the noise is a function of t.
   */
  gradient(x: Rows, t: number, out: Rows): void;
  /**
   * The elementwise work over rows (rows.ts), done by whoever holds them. An algorithm that leaves all of it to them and
   * never looks at a number itself runs where rows are no numbers here, too: on a GPU.
   */
  readonly passes: RowPasses;
  /** gamma in iteration t; positive. */
  learningRate(t: number): number;
  /** Numbers of (seed, iteration t) for an algorithm's own random choices: fills `out` with uniform 32-bit words, row by row. */
  words(t: number, out: Uint32Array): void;
  /**
   * What a codec makes of rows: each row is encoded, and replaced by what its receivers will decode, so that a node's own
   * row passes through the codec as its neighbours' copies of it do. For the `coded` of a Mix.
   */
  encode(codec: Codec, t: number, rows: Rows): Coded;
}

/**
 * What an iteration asks of the network: one exchange.
 *
 * Iterations and rounds are two clocks. An algorithm declares how many rounds of the topology an iteration goes through
 * (`exchanges.hops`, K): the k-th topology exchange of iteration t is W(K t + k), and those after the last one use its
 * round again. So with K = 1 every exchange of iteration t is W(t), also where there are several (`atc-gt` sends models
 * and trackers apart, over the same W) or none (`local-steps` idles), and means use up no round. Who knows t and K knows
 * the round: a late joiner replays nothing.
 */
export interface Mix {
  /** Rows to be multiplied by W, `count` rows each, all in one exchange; given up by the algorithm. */
  readonly vectors: readonly Rows[];
  /** "topology" (default): W. "mean": an exact average in its place (all-reduce). */
  readonly by?: "topology" | "mean";
  /** What travels in place of vectors[0], the only one: its rows, encoded (World.encode). */
  readonly coded?: Coded;
  /** An entry for each row here, 1 when it is handed over: the network makes it 0 where nobody was heard. */
  readonly heard?: Uint8Array;
}

/** Rows on their way: `bytes` holds `count` packets of one size, each decoded for the node that it came from. */
export interface Coded {
  readonly bytes: Uint8Array;
  decode(packet: Uint8Array, node: number, row: Rows): void;
}

/** How many exchanges an iteration makes at most; the network numbers messages and rounds by it. */
export interface Exchanges {
  /** Rounds of the topology that an iteration goes through (Mix says how they are numbered). */
  readonly hops: number;
  /** Exchanges of an iteration, means included. */
  readonly yields: number;
  /** Some are exact means, for which every node hears every other, whatever the topology: a real network links them all. */
  readonly means?: true;
}

/** What most make: one. */
export const oneExchange = (): Exchanges => ({ hops: 1, yields: 1 });

/**
 * What a state is, for peers that come back after an absence and for the repair of gradient tracking:
 * - own:     the node's own business, kept (momenta);
 * - tracker: y of gradient tracking, whose sum over all nodes is that of the state `counted`: begun anew;
 * - counted: what a node's tracker has counted in (its last gradient): begun anew with it;
 * - share:   a node's share of some other network-wide sum or agreement (corrections, push-sum weights): begun anew.
 */
export type StateKind = "own" | "tracker" | "counted" | "share";

/** The models x, and everything else that a checkpoint must hold. */
export interface State {
  x: Rows;
  [name: string]: Rows;
}

/** An algorithm at work. */
export interface Running {
  /** Entries are replaced as it runs: read them between iterations, and keep none. */
  readonly state: State;
  /** Iteration t = 0, 1, 2, ...: at its end state.x holds X_(t+1), the iterate after t + 1 updates. */
  iterate(t: number): Generator<Mix, void, readonly Rows[]>;
}

/** What a node sends in an iteration, on average over many. */
export interface Traffic {
  /** Vectors of d numbers to each peer. */
  readonly vectors: number;
  /** Single numbers to each peer beside them. */
  readonly scalars?: number;
  /** All-reduces of one vector. */
  readonly reductions?: number;
  /** Bytes of one vector, where it goes compressed; `size` is the bytes of a number. */
  readonly compressed?: (d: number, size: number) => number;
}

/** A member of the algorithm registry: one file each. */
export interface Algorithm<O extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> {
  readonly name: string;
  readonly summary: string;
  /** Its update equations, in one line. */
  readonly update: string;
  /** What it asks of W. */
  readonly condition: Condition;
  /** Whether it converges to the exact solution on heterogeneous data at a constant rate without noise. */
  readonly exact: boolean;
  /** What it takes beside the learning rate. */
  readonly options: O;
  sends(options: Values<O>): Traffic;
  /** How many exchanges an iteration makes at most. */
  exchanges(options: Values<O>): Exchanges;
  /**
   * What asynchronous rounds may take what it yields for (run/async): "models", of which a neighbour's newest do as well as
   * those of this round; "shares" of a sum, each to be counted once, its states of that kind in their order, the last one
   * push-sum's weight. Left out where everybody's vectors of one round are needed. Such an iteration makes one exchange.
   */
  readonly async?: "models" | "shares";
  /** What each of its states beside x is. */
  readonly states: Readonly<Record<string, StateKind>>;
  /** Ready for iteration 0; or for iteration t, where `saved` is the state that another one had before it. */
  start(world: World, options: Values<O>, saved?: Readonly<State>): Running;
}

/** Lets a file of the registry have its options' types inferred. */
export function defineAlgorithm<O extends Readonly<Record<string, Option>>>(member: Algorithm<O>): Algorithm<O> {
  return member;
}

/** One vector per iteration: what most send. */
export const oneVector = (): Traffic => ({ vectors: 1 });

/** Two: models and trackers. */
export const twoVectors = (): Traffic => ({ vectors: 2 });

/** The state at the start: x0 and the other rows as given, or all of them overwritten by what was saved. */
export function initialState<T extends Readonly<Record<string, Rows>>>(
  world: World,
  saved: Readonly<State> | undefined,
  others: T,
): { x: Rows } & { -readonly [K in keyof T]: Rows } {
  const state: State = { x: world.x0, ...others };
  if (saved !== undefined) {
    for (const [name, rows] of Object.entries(state)) {
      if (saved[name]?.length !== rows.length) {
        throw new InputError(
          `a saved state must hold ${Object.keys(state).join(", ")}, here ${rows.length} numbers of ${name}`,
          saved[name]?.length,
          "go on with the algorithm, the options and the problem that it was saved from",
        );
      }
      rows.set(saved[name]);
    }
  }
  return state as { x: Rows } & { -readonly [K in keyof T]: Rows };
}
