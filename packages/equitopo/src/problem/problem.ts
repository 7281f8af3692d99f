/**
 * A problem: f = 1/n sum_i f_i over n nodes, given by its gradients. A user's own problem is a dimension and a gradient
 * function.
 */

import type { Options, Values } from "../input/option.ts";
import type { AnyFamily } from "../input/registry.ts";
import type { Crew } from "../round/crew.ts";
import type { Rows } from "../round/round.ts";

export interface Problem {
  readonly name: string;
  readonly n: number;
  readonly d: number;
  /**
   * The stochastic gradients of nodes first .. first + count - 1 at their rows x (count rows of d), in iteration t. Noise is
   * a function of (seed, node, t), so that a peer computes the same gradient for itself as the simulator does. A problem made
   * for a share of the nodes (ProblemContext) has the gradients of these only.
   */
  gradient(x: Rows, t: number, out: Rows, first: number, count: number): void;
  /** The start of every node (d numbers); zeros if left out. */
  readonly start?: Rows;
  /** The numbers of a node that are the entries of matrices, each from the first to the one after the last: what AdamW decays. */
  readonly matrices?: readonly (readonly [from: number, to: number])[];
  /** The constants of the theorems, exact at the minimiser, if the problem knows them in closed form. */
  constants?(): ProblemConstants;
  /** The metrics to record by name, from all n rows, or from those of the honest nodes if some lie. */
  metrics(x: Rows): Readonly<Record<string, number>>;
  /**
   * Values that nodes keep beside their models and that gradients change (running statistics, sums of losses): a row for each
   * node of this problem, by name. Part of every checkpoint, which is restored into these same rows.
   */
  readonly state?: Readonly<Record<string, Rows>>;
  /** Updates in one pass over the data, if the problem has data. */
  readonly epoch?: number;
  /** Measurements that cost too much to be taken with every metric. */
  readonly evaluation?: Evaluation;
  /** Files to keep at the end of a run (a trained model), by name, from the models of this problem's nodes. */
  files?(x: Rows): Readonly<Record<string, Uint8Array>>;
  /** Releases what the problem holds: threads. */
  close?(): void;
}

/** Gradient noise, heterogeneity, smoothness and strong convexity (theory/constants.ts has the formulas). */
export interface ProblemConstants {
  readonly sigma: number;
  readonly b: number;
  readonly L: number;
  readonly mu: number;
}

/** One node's contribution to an evaluation: numbers that are added or compared over the nodes. Plain JSON. */
export type Tally = Readonly<Record<string, number>>;

/**
 * An evaluation is written once, over rows, like an algorithm: the simulator gives it all n rows, a peer its own. It yields
 * rows to be averaged over the network, and is handed back each node's copy of the mean.
 */
export interface Evaluation {
  /** How often it yields at most (default twice: models, and estimates for their mean); peers number their messages by it. */
  readonly yields?: number;
  /**
   * The tallies after `updates` updates, at the models x of nodes first .. first + count - 1, which it does not change;
   * `last` if no evaluation follows.
   */
  tally(
    x: Rows,
    updates: number,
    first: number,
    count: number,
    last?: boolean,
  ): Generator<readonly Rows[], readonly Tally[], readonly Rows[]>;
  /** The network's numbers, from the tallies of the nodes (of the remaining ones, if some are gone). */
  summarise(tallies: readonly Tally[]): Readonly<Record<string, number>>;
}

/** What a problem is made with, beside its spec. */
export interface ProblemContext {
  /**
   * The nodes whose data is wanted, first .. first + count - 1; all if left out. With a count of 0 there is no data, and the
   * problem only answers for what all nodes share.
   */
  readonly first?: number;
  readonly count?: number;
  /** Threads that gradients and evaluations may use; only the calling thread if left out. Results do not depend on it. */
  readonly crew?: Crew;
  /** The files of data sets, by name, if there are any. */
  readonly files?: Files;
  /** Nodes that learn from wrong labels, class C - 1 - c instead of c, if the family supports that (`mislabels`). */
  readonly mislabelled?: readonly number[];
}

/**
 * Files as a problem sees them. The program decides how they are read: from a disk, from a network, or from files that a
 * person picked.
 */
export interface Files {
  /** The whole file, unpacked if it is packed (.gz). */
  read(name: string): Uint8Array;
  has(name: string): boolean;
  /** The names of all files in a folder, in order, as `read` takes them; left out where nobody can look. */
  list?(folder: string): readonly string[];
  /** The place of the files, for errors. */
  readonly place?: string;
}

/** A member of the problem registry: one file each. */
export interface ProblemFamily<O extends Options = Options, N extends string = string> extends AnyFamily {
  readonly name: N;
  readonly source: string;
  /** The options it takes beside n. */
  readonly options: O;
  /** Whether it has labels that can be made wrong for some nodes. */
  readonly mislabels?: true;
  /** The main metric, which its figure shows. */
  readonly metric: string;
  /** The main metric falls in a good run (an error, a loss, a gradient's norm): one that ends at ten times its start diverged. */
  readonly falls?: true;
  /** The numbers in the data of one node, if they must fit into one array. */
  numbersPerNode?(options: { readonly n: number } & Values<O>): number;
  create(options: { readonly n: number } & Values<O>, context?: ProblemContext): Problem;
  /**
   * Checks the options without drawing the data of all nodes, and returns the updates of an epoch. If left out, a problem of
   * one node is made instead.
   */
  check?(options: { readonly n: number } & Values<O>, context?: ProblemContext): { readonly epoch?: number };
}

/** A member for `problems.add` or a plug-in, its options' types inferred. */
export const defineProblem = <O extends Options, N extends string>(member: ProblemFamily<O, N>): ProblemFamily<O, N> =>
  member;
