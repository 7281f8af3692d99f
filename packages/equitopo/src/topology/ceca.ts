/**
 * What CECA's two forms share (ICML 2023): exact averaging in L = ceil(log2 n) rounds with one peer a round, over two
 * vectors a node. With b_0 b_1 ... b_{L-1} the bits of n - 1, the most significant first, and e_0 = 0, e_{t+1} = 2 e_t + b_t,
 * node i hears r from its source in round t:
 *
 *   b = 1:  r = x of the source,  x <- (x + r)/2,                     z <- (e z + (e+1) r)/(2e+1);
 *   b = 0:  r = z of the source,  x <- ((e+1) x + e r)/(2e+1),        z <- (z + r)/2.
 *
 * After round t x is the mean of e_{t+1} + 1 nodes and z that of the same without the node itself, so x is exact after L
 * rounds; z is not. The first bit is 1: z is overwritten in the first round of a period, and only x crosses its end.
 * Started in another round of the period it is exact at the end of the next one, after up to 2 L - 1 rounds.
 *
 * The rounds as matrices on (x, z) have rows that sum to 1, columns that do not: no n x n W says what they do. The `rate`
 * here is that of x alone in the worst round, from z = x: the norm of Pi (x.own I + x.heard P), P being who hears whom.
 */

import { ceilLog2, gcd } from "../number/integers.ts";
import { cosine } from "../number/roots.ts";
import type { Rate } from "../rate/rate.ts";
import type { FamilyWork } from "../rate/work.ts";
import { type PairRound, type Topology, topologyOf } from "./topology.ts";

/** Round t of a period: e and b, and what they make of the vectors. */
export interface CecaRound {
  readonly e: number;
  readonly b: number;
  readonly pair: PairRound;
}

/** The L rounds of a period: the table that all of it follows from. */
export function cecaRounds(n: number): readonly CecaRound[] {
  const length = ceilLog2(n);
  const rounds: CecaRound[] = [];
  let e = 0;
  for (let t = 0; t < length; t++) {
    const b = Math.floor((n - 1) / 2 ** (length - 1 - t)) % 2;
    rounds.push({ e, b, pair: pairOf(e, b) });
    e = 2 * e + b;
  }
  return rounds;
}

function pairOf(e: number, b: number): PairRound {
  const half = { own: 0.5, heard: 0.5 };
  const all = 2 * e + 1;
  return b === 1
    ? { sends: "x", x: half, z: { own: e / all, heard: (e + 1) / all } }
    : { sends: "z", x: { own: (e + 1) / all, heard: e / all }, z: half };
}

/** The topology of these rounds over the ways in which nodes hear each other. */
export function cecaTopology(
  spec: Topology["spec"],
  rounds: readonly CecaRound[],
  symmetric: boolean,
  ways: Pick<Topology, "round" | "peers" | "rate">,
): Topology {
  const period = rounds.length;
  const pair = (t: number) => rounds[t % period].pair;
  return topologyOf({ kind: "periodic", symmetric, maxDegree: 1, period, exactAfter: period, spec, pair, ...ways });
}

/** The rate where node i hears from i - shift(round): |x.own + x.heard w^k| at its worst, w the n-th root of unity. */
export function cecaRate(n: number, rounds: readonly CecaRound[], shift: (round: CecaRound) => number): Rate {
  const square = ({ pair: { x } }: CecaRound) => 1 - 2 * x.own * x.heard * (1 - cosine(1, n));
  // A shift that divides n leaves some frequency as it is; any other moves the lowest one least.
  const worst = rounds.map((round) => (gcd(shift(round), n) > 1 ? 1 : Math.max(0, square(round))));
  return { rate: Math.sqrt(Math.max(...worst)), bound: null, method: "closed form", periodNorm: 0, periodRate: 0 };
}

/** What the rate of either form takes. */
export function cecaWork({ n }: { readonly n: number }): FamilyWork {
  return { rounds: ceilLog2(n), additions: 2, vectors: 2, steps: 9.5 };
}
