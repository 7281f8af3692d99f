/** What the adviser is asked: options with their defaults and ranges, in a table that commands and pages can read. */

import { algorithms } from "../algorithm/registry.ts";
import { nodes } from "../input/input.ts";
import * as option from "../input/option.ts";
import { topologies } from "../topology/registry.ts";

const positive = (preset: number) => option.number(preset, { min: 0, max: Number.POSITIVE_INFINITY, open: "both" });

/** Options of questions about a gradient method alone. */
export const learningOptions = {
  /** Seconds of a gradient; default 0. */
  compute: option.nonnegative(0),
  /** Whether nodes that lie together have similar data, as if it is sorted by label. */
  heterogeneous: option.flag(),
  /** The problem: L / mu (default 2.5, the paper's least squares), heterogeneity and noise in units of L times the distance to the solution (1, 0). */
  kappa: option.number(2.5, { min: 1, max: Number.POSITIVE_INFINITY, open: "max" }),
  b: option.nonnegative(1),
  sigma: option.nonnegative(0),
};

/** All options. */
export const adviceOptions = {
  n: {
    default: 0,
    range: "integer, at least 2",
    required: true,
    check: (_, value) => nodes(value),
  } as option.Option<number>,
  /** The most peers that a node may hear from in a round; any number if left out. */
  degree: option.optional(option.whole(1, 1)),
  /** Only graphs in which every edge goes both ways. */
  undirected: option.flag(),
  /** Only these families; all that are registered if left out. */
  topologies: option.optional<readonly string[]>({
    default: [],
    range: "names of topologies",
    check: (_, names) => (names as readonly string[]).map((name) => topologies.get(name).name),
  }),
  /** Bytes of one vector; default 1e6. */
  modelBytes: positive(1e6),
  /** Seconds a message; default 1e-4. */
  latency: option.nonnegative(1e-4),
  /** Bytes a second; default 1.25e8, a gigabit. */
  bandwidth: positive(1.25e8),
  /** The share of messages that are dropped; default 0. */
  loss: option.share(0),
  /** The gradient method, by its name in the registry; plain averaging if left out. */
  algorithm: option.optional<string>({
    default: "",
    range: "the name of an algorithm",
    check: (_, name) => algorithms.get(name as string).name,
  }),
  /** Default 1e-6; 0.01 for methods with a bias, whose every digit costs ten times as much. */
  tolerance: option.optional(option.number(1e-6, { min: 0, max: 1, open: "both" })),
  /** What to rank by; default time. */
  by: option.word("time", "bytes"),
  /** Of everything drawn; default 0. */
  seed: option.seed,
  ...learningOptions,
};

type Settled = option.Values<typeof adviceOptions>;

export type AdviseOptions = Partial<Settled> & Pick<Settled, "n">;

/** The question with its defaults; degree, algorithm and topologies may stay open. */
export type Question = Settled & { readonly tolerance: number };

/** The question checked, with its defaults. */
export function settleQuestion(options: AdviseOptions): Question {
  const settled = option.settle("advise", adviceOptions, options);
  const exact = settled.algorithm === undefined || algorithms.get(settled.algorithm).exact;
  return { ...settled, tolerance: settled.tolerance ?? (exact ? 1e-6 : 0.01) };
}
