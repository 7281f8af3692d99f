/**
 * A problem: f = 1/n sum_i f_i over n nodes, given by its gradients. A user's own is a dimension and a gradient function.
 */

import type { Options, Values } from "../input/option.ts";
import type { Member } from "../input/registry.ts";
import type { Crew } from "../round/crew.ts";
import type { Rows } from "../round/round.ts";

export interface Problem {
  readonly name: string;
  readonly n: number;
  /** The dimension of a model. */
  readonly d: number;
  /**
   * The stochastic gradients of nodes first .. first + count - 1 at their rows x (count rows of d), in iteration t.
   * Noise is a function of (seed, node, t), so that one peer computes for itself what the simulator computes for it.
   * A problem made for a share of the nodes (ProblemContext) answers for these alone.
   */
  gradient(x: Rows, t: number, out: Rows, first: number, count: number): void;
  /** Where every node starts (d numbers); zeros where it is left out. */
  readonly start?: Rows;
  /** What the theorems ask of a problem, exact at its minimiser, where the problem knows it in closed form. */
  constants?(): ProblemConstants;
  /** What is recorded along the way: name -> value, from all n rows, or from those of the honest nodes where some lie. */
  metrics(x: Rows): Readonly<Record<string, number>>;
  /**
   * What nodes keep beside their models and gradients change (running statistics, sums of losses): a row for each node of
   * this problem, by name. Part of every checkpoint, which writes into these very rows to go on.
   */
  readonly state?: Readonly<Record<string, Rows>>;
  /** Updates in one pass over the data, where there is such a thing. */
  readonly epoch?: number;
  /** What costs too much to be measured with every metric. */
  readonly evaluation?: Evaluation;
  /** Files worth keeping at the end of a run (a trained model), by name, from the models of this problem's nodes. */
  files?(x: Rows): Readonly<Record<string, Uint8Array>>;
  /** Ends what the problem holds on to: threads. */
  close?(): void;
}

/** Gradient noise, heterogeneity, smoothness and strong convexity (theory/constants.ts has the formulas). */
export interface ProblemConstants {
  readonly sigma: number;
  readonly b: number;
  readonly L: number;
  readonly mu: number;
}

/** What one node contributes to an evaluation: numbers that are added or compared over the nodes. Plain JSON. */
export type Tally = Readonly<Record<string, number>>;

/**
 * An evaluation is written once, over rows, as algorithms are: the simulator gives it all n rows, a peer its own. It
 * yields rows to be averaged over the network and is handed back, at each node, that node's copy of the mean.
 */
export interface Evaluation {
  /** How often it yields at most (default twice: models, and what is estimated for their mean): peers number their messages by it. */
  readonly yields?: number;
  /**
   * After `updates` updates, at the models x of nodes first .. first + count - 1, which it leaves as they are; `last`
   * where none follows.
   */
  tally(
    x: Rows,
    updates: number,
    first: number,
    count: number,
    last?: boolean,
  ): Generator<readonly Rows[], readonly Tally[], readonly Rows[]>;
  /** The network's numbers, from the tallies of the nodes (of those that are left, where some are gone). */
  summarise(tallies: readonly Tally[]): Readonly<Record<string, number>>;
}

/** Where a problem is made: for whom, and with what beside its spec. */
export interface ProblemContext {
  /**
   * Only these nodes' data is wanted, first .. first + count - 1; all where left out. With a count of 0 there is none, and
   * where a problem has use for that, it answers for what all nodes share.
   */
  readonly first?: number;
  readonly count?: number;
  /** Threads that gradients and evaluations may use; the calling one alone where left out. Results do not depend on it. */
  readonly crew?: Crew;
  /** The files of data sets, by name, where there are any. */
  readonly files?: Files;
  /** Nodes that learn from wrong labels, class C - 1 - c in place of c, where the family says that it can (`mislabels`). */
  readonly mislabelled?: readonly number[];
}

/** Files as a problem sees them; whoever has a disk, a network or a person who picks files says how they are read. */
export interface Files {
  /** The whole file, unpacked where it is packed (.gz). */
  read(name: string): Uint8Array;
  has(name: string): boolean;
  /** Where they are looked for, for errors. */
  readonly place?: string;
}

/** A member of the problem registry: one file each. */
export interface ProblemFamily<O extends Options = Options> extends Member {
  readonly source: string;
  /** The options it takes beside n. */
  readonly options: O;
  /** Whether it has labels that can be made wrong for some nodes. */
  readonly mislabels?: true;
  /** Of what it records, the one that its figure shows. */
  readonly metric: string;
  create(options: { readonly n: number } & Values<O>, context?: ProblemContext): Problem;
  /**
   * Checks the options without drawing everybody's data, and says how many updates an epoch has. Where it is left out, a
   * problem of one node is made in its place.
   */
  check?(options: { readonly n: number } & Values<O>, context?: ProblemContext): { readonly epoch?: number };
}

/** A member for `problems.add` or a plug-in, its options' types inferred. */
export function defineProblem<O extends Options>(member: ProblemFamily<O>): ProblemFamily<O> {
  return member;
}
