/**
 * A decentralised algorithm, written once over rows: the simulator gives it all n rows, a real peer gives it one. An
 * iteration is a generator: it yields the rows to be mixed and is handed back the mixed rows. So the simulator drives the
 * same file without promises, and a peer with them (drive.ts).
 */

import { InputError } from "../input/input.ts";
import type { Options, Values } from "../input/option.ts";
import type { OuterModel } from "../rate/outer-model.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import type { Codec } from "./compressor.ts";
import { type Condition, doublyStochastic, stableOuter } from "./condition.ts";
import type * as passes from "./rows.ts";

/** The functions of rows.ts. */
export type RowPasses = typeof passes;

/** Parts of a row of d numbers, each from its first number to the one after its last. */
export interface Columns {
  readonly d: number;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** What an algorithm sees: some rows of the network (all of them, or one), and gradients at them. */
export interface World {
  /** Rows here: n in the simulator, 1 at a peer. */
  readonly count: number;
  /** Nodes in the whole network. */
  readonly n: number;
  readonly d: number;
  /** Which nodes exchange rows, and by which weights. It fulfils the algorithm's condition. */
  readonly topology: Topology;
  /** The initial models, `count` rows of d, which then belong to the algorithm. */
  readonly x0: Rows;
  /**
   * New zeroed rows, `count` of the given width (default d). Rows made in `start` are in the memory of the mixer's kernels;
   * rows made in an iteration are ordinary memory, which is collected, and are mixed more slowly.
   */
  rows(width?: number): Rows;
  /**
   * Stochastic gradients at x, written to `out`. t numbers the iterate: X_0 is the start and X_t the result of iteration t -
   * 1. Called once for each t, in order; the noise is a function of t.
   */
  gradient(x: Rows, t: number, out: Rows): void;
  /**
   * The elementwise work over rows (rows.ts), done by the world. An algorithm that uses only these passes and never reads a
   * number itself also runs if the rows are on a GPU.
   */
  readonly passes: RowPasses;
  /** The parts of a row that are matrices, for a decay of these alone: for the passes, which know what it is. */
  readonly matrices: Columns;
  /** gamma in iteration t; positive. */
  learningRate(t: number): number;
  /** Fills `out` with uniform 32-bit words of (seed, iteration t), row by row, for an algorithm's own random choices. */
  words(t: number, out: Uint32Array): void;
  /**
   * Encodes each row and replaces it by what its receivers will decode, so that a node's own row passes through the codec
   * like its neighbours' copies of it. For the `coded` of a Mix.
   */
  encode(codec: Codec, t: number, rows: Rows): Coded;
  /** Whether the network can begin exchanges whose results are wanted later (Mix.begin). */
  readonly begins?: boolean;
}

/**
 * What an iteration asks of the network: one exchange.
 *
 * Iterations and rounds are two clocks. An algorithm declares how many rounds of the topology an iteration goes through
 * (`exchanges.hops`, K): the k-th topology exchange of iteration t uses W(K t + k), and further ones use the last of these
 * rounds again. So with K = 1 every exchange of iteration t uses W(t), even if there are several (`atc-gt` sends models and
 * trackers apart, over the same W); means use up no round. If only every H-th iteration exchanges (`exchanges.every`,
 * `local-steps`), exchange k uses W(k), so that every round of the topology is used. The round follows from t, K and H, so a
 * peer that joins late replays nothing.
 */
export interface Mix {
  /** Rows to be multiplied by W, `count` rows each, all in one exchange. They no longer belong to the algorithm. */
  readonly vectors: readonly Rows[];
  /** "topology" (default): W. "mean": an exact average in its place (all-reduce). */
  readonly by?: "topology" | "mean";
  /** Sent instead of vectors[0], which is then the only one: its rows, encoded (World.encode). */
  readonly coded?: Coded;
  /** One entry per row, 1 when it is handed over; the network sets it to 0 if the row's node heard nobody. */
  readonly heard?: Uint8Array;
  /** Which part of a model the vectors are, if they are not all of it (Exchanges.parts). */
  readonly part?: number;
  /**
   * No exchange yet: copies of what the algorithm will yield first, so many iterations from now. The network may send them
   * already. Only in a world that begins exchanges (World.begins); what is handed back is not looked at.
   */
  readonly begin?: number;
}

/** Encoded rows: `bytes` holds `count` packets of one size, each decoded for the node that it came from. */
export interface Coded {
  readonly bytes: Uint8Array;
  decode(packet: Uint8Array, node: number, row: Rows): void;
}

/** How many exchanges an iteration makes at most; messages and rounds are numbered by it. */
export interface Exchanges {
  /** Rounds of the topology that an iteration goes through (Mix says how they are numbered). */
  readonly hops: number;
  /** Exchanges of an iteration, means included. */
  readonly yields: number;
  /** Exchanges are made only in iterations H - 1, 2 H - 1, 3 H - 1, ...; default 1, in every one. */
  readonly every?: number;
  /**
   * Vectors are sent in so many parts, one every `every` / `parts` iterations, all through the same rounds; if left out, whole.
   */
  readonly parts?: number;
  /** Some are exact means, in which every node hears every other whatever the topology: a real network then links all nodes. */
  readonly means?: true;
}

/** One exchange per iteration, as most algorithms make. */
export const oneExchange = (): Exchanges => ({ hops: 1, yields: 1 });

/** The first of the topology's rounds in iteration t; if it exchanges nothing, the next round. */
export const firstRound = ({ hops, every = 1 }: Exchanges, t: number): number => hops * Math.floor(t / every);

/**
 * The kind of a state decides what happens to it when a peer returns after an absence, and when gradient tracking is
 * repaired:
 *
 * - own:     belongs to the node alone and is kept (momenta);
 * - tracker: y of gradient tracking, whose sum over all nodes is that of the state `counted`: reset;
 * - counted: what a node's tracker has counted in (its last gradient): reset with it;
 * - share:   a node's share of another sum or agreement of the network (corrections, push-sum weights): reset.
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
  readonly vectors: number;
  /** Single numbers to each peer beside them. */
  readonly scalars?: number;
  /** All-reduces of one vector. */
  readonly reductions?: number;
  /** Bytes of one vector, if it is sent compressed; `size` is the bytes of a number. */
  readonly compressed?: (d: number, size: number) => number;
}

/** A member of the algorithm registry: one file each. */
export type Algorithm<O extends Options = Options, N extends string = string> = AlgorithmDefinition<O, N> &
  Required<Omit<AlgorithmDefinition<O, N>, "async" | "outer">>;

/** An algorithm as its file states it. */
export interface AlgorithmDefinition<O extends Options = Options, N extends string = string> {
  readonly name: N;
  readonly summary: string;
  /** Its update equations, in one line. */
  readonly update: string;
  /** Its condition on W; if left out, doubly stochastic, and stable if it declares `outer`. */
  readonly condition?: Condition;
  /** Whether it converges to the exact solution on heterogeneous data at a constant rate without noise; not if left out. */
  readonly exact?: boolean;
  /** Its options beside the learning rate; none if left out. */
  readonly options?: O;
  /** What a node sends in an iteration; one vector if left out. */
  sends?(options: Values<O>): Traffic;
  /** How many exchanges an iteration makes at most; one if left out. */
  exchanges?(options: Values<O>): Exchanges;
  /**
   * How asynchronous rounds may treat the vectors that it yields (run/async): as "models", of which a neighbour's newest
   * serve as well as those of this round; or as "shares" of a sum, each to be counted once, which are its states of that kind
   * in their order, the last one push-sum's weight. Left out if it needs the vectors of one round from all nodes. Such an
   * iteration makes one exchange.
   */
  readonly async?: "models" | "shares";
  /** Of a rule of local steps: what an outer step does to disagreement. Its stability is then checked before the first round. */
  outer?(options: Values<NoInfer<O>>): OuterModel;
  /** The kinds of its states beside x; none if left out. */
  readonly states?: Readonly<Record<string, StateKind>>;
  /** Starts it before iteration 0; or before iteration t, if `saved` is a state from before that iteration. */
  start(world: World, options: Values<O>, saved?: Readonly<State>): Running;
}

/** A member for `algorithms.add` or a plug-in, its options' types inferred. */
export function defineAlgorithm<N extends string, O extends Options = Record<never, never>>(
  member: AlgorithmDefinition<O, N>,
): Algorithm<O, N> {
  const condition = member.outer === undefined ? doublyStochastic : stableOuter(member.outer);
  const usual = { condition, exact: false, options: {} as O, states: {} };
  return { ...usual, sends: oneVector, exchanges: oneExchange, ...member };
}

/** One vector per iteration, as most algorithms send. */
export const oneVector = (): Traffic => ({ vectors: 1 });

/** Two: models and trackers. */
export const twoVectors = (): Traffic => ({ vectors: 2 });

/** The state at the start: x0 and the other rows as given, or all of them overwritten by the saved ones. */
export function initialState<T extends Readonly<Record<string, Rows>>>(
  world: World,
  saved: Readonly<State> | undefined,
  others: T,
): { x: Rows } & { -readonly [K in keyof T]: Rows } {
  const state: State = { x: world.x0, ...others };
  if (saved !== undefined) {
    for (const [name, rows] of Object.entries(state)) {
      if (saved[name]?.length !== rows.length) {
        const rule = `a saved state must hold ${Object.keys(state).join(", ")}, here ${rows.length} numbers of ${name}`;
        const remedy = "go on with the algorithm, the options and the problem that it was saved from";
        throw new InputError(rule, saved[name]?.length, remedy);
      }
      rows.set(saved[name]);
    }
  }
  return state as { x: Rows } & { -readonly [K in keyof T]: Rows };
}
