/** What it takes to find the rounds that a topology needs, where these are looked for one norm after another (prediction.ts). */

import { mostRounds, searched } from "./prediction.ts";
import { arrayWork, listedWork, PER_STEP, PLAIN, type RateWork } from "./work.ts";

/** A directed W that is not normal, and whose rounds to agreement are therefore looked for among its powers. */
export interface DirectedGraph {
  readonly n: number;
  readonly edges: number;
  /** Of the iteration for its rate. */
  readonly steps: number;
  /** About. */
  readonly rate: number;
}

/**
 * A random W agrees after about this share of the rounds that its rate promises; and the more rounds a power has, the
 * further apart are the ends of its spectrum.
 */
const SOONER = 0.6;

export function directedWork({ n, edges, steps, rate }: DirectedGraph): RateWork {
  const once = edges + n;
  const iteration = (m: number) => (2 * steps * (2 * m * once + PER_STEP * n)) / Math.sqrt(m);
  const promised = Math.ceil(Math.log(1e-6) / Math.log(rate));
  const { operations: listed, ...work } = listedWork({ n, edges, steps: 0, lists: "none" });
  let operations = listed + iteration(1);
  searched({ promised, most: mostRounds(once), isExact: false }, (m) => {
    operations += iteration(m);
    return m >= SOONER * promised;
  });
  return { ...work, operations, seconds: PLAIN * operations };
}

/** What is exact after a number of rounds and has its rate in closed form. */
export interface ExactRounds {
  readonly n: number;
  readonly rounds: number;
  /** Additions of a node in one round, for each vector that it keeps. */
  readonly additions: number;
  readonly vectors?: 1 | 2;
  /** Of the iteration for the norm of all rounds but the last. */
  readonly steps: number;
}

/** Whether the mean is exact in the last round and not before is seen from that one norm, where it is not too long. */
export function exactWork({ n, rounds, additions, vectors = 1, steps }: ExactRounds): RateWork {
  const isTried = rounds - 1 <= mostRounds(additions * n);
  const operations = isTried ? 2 * steps * (2 * vectors * additions * (rounds - 1) + PER_STEP) : 0;
  return { ...arrayWork(n, operations, 60), seconds: PLAIN * n * operations };
}
