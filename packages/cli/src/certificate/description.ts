/** What is said of a topology and its rate: the object that `rate --json` prints and that a certificate holds. */

import type { Rate, Topology } from "equitopo";

export interface Description {
  readonly topology: string;
  readonly n: number;
  /** The consensus rate beta. */
  readonly rate: number;
  /** The paper's bound on the same beta. */
  readonly bound: number | null;
  /** The largest number of distinct peers that a node receives from in one round. */
  readonly degree: number;
  readonly [more: string]: unknown;
}

/** The rate is handed in because computing it is the expensive part. */
export function describe(topology: Topology, exact: Rate): Description {
  const { name, n, ...options } = topology.spec;
  const { rate, bound, ...more } = exact;
  const period = topology.kind === "periodic" ? { period: topology.period } : {};
  const { stochastic, pair } = topology;
  // What is not so of most: sums that are 1 in one direction only, and rounds over two vectors a node.
  const label = { ...(stochastic === undefined ? {} : { stochastic }), ...(pair === undefined ? {} : { vectors: 2 }) };
  return { topology: name, n, rate, bound, degree: topology.maxDegree, ...period, ...label, ...more, ...options };
}
