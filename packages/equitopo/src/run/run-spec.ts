/** One complete run: the result of expanding a document (spec.ts), and the input of drivers. */

import type { AlgorithmSpec } from "../algorithm/registry.ts";
import type { Latency } from "../faults/latency.ts";
import { type LiarFaults, type Liars, liarsAmong } from "../faults/liars.ts";
import type { ProblemContext } from "../problem/problem.ts";
import type { ProblemSpec } from "../problem/registry.ts";
import type { DefenceSpec } from "../robust/defence.ts";
import type { TopologySpec } from "../topology/topology.ts";
import type { AsyncMode } from "./async/mode.ts";

/**
 * Messages dropped on purpose, and nodes that lie (`liars`, `attack`): metrics and evaluations are then those of the honest
 * nodes alone; the rows of liars are in the result, but nothing is computed from them.
 */
export interface RunFaults extends LiarFaults {
  /** The share of messages (in undirected rounds: of exchanges) that are dropped. */
  readonly drop?: number;
}

/** One run of one seed, with everything that is needed to do it. */
export interface RunSpec extends Partial<AsyncMode> {
  readonly label: string;
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem: ProblemSpec;
  readonly rounds: number;
  readonly seed: number;
  readonly every: number;
  /** Updates between two evaluations, if the problem has any; the last update is always evaluated. */
  readonly evaluate?: number;
  readonly type: "float64" | "float32";
  /** Given if it is not that of the type. */
  readonly precision?: "mixed";
  readonly latency?: Latency;
  /** Messages dropped on purpose and nodes that lie, in the simulator and among real peers alike. */
  readonly faults?: RunFaults;
  /** Mixing that withstands nodes which send wrong numbers (robust.ts): { kind: clip | trim | guard, ... }. */
  readonly robust?: DefenceSpec;
  /** The SHA-256 of each plug-in that the names may mean: runs are equal only if these are. */
  readonly plugins?: readonly string[];
}

/** What decides which nodes lie. */
type Lying = Pick<RunSpec, "faults" | "seed" | "topology">;

/** The liars of a run; undefined if there are none. */
export const liarsOf = ({ faults = {}, seed, topology }: Lying): Liars | undefined =>
  liarsAmong(faults, topology.n, seed);

/** The context of a run's problem: that of the caller, with the nodes whose labels are wrong. */
export function contextOf(run: Lying, context: ProblemContext): ProblemContext {
  const liars = liarsOf(run);
  return liars?.mislabels ? { ...context, mislabelled: liars.nodes } : context;
}
