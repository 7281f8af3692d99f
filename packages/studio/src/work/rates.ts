/**
 * The exact consensus rates of topologies, the paper's bounds, and the rounds that theory promises, each reported once it is
 * known. Closed forms take milliseconds, certified iterations a second or so at n = 10,000; so a worker of their own
 * computes them, and curves do not wait for them.
 */

import { predictedRounds, type Topology } from "equitopo";
import type { Chosen } from "../view/topology-field.ts";
import { lossyRate } from "./lossy.ts";
import { type Setting, topologyOf } from "./setting.ts";
import { orTrouble, type Trouble } from "./trouble.ts";

/** Disagreement is followed down to this share of what it was. */
export const TOLERANCE = 1e-6;

/** beta of one round: the worst of a period, the root of the mean square of random ones; the paper's bound; and how. */
export interface KnownRate {
  readonly rate: number;
  readonly bound: number | null;
  readonly method: string;
  /** What a whole stretch of rounds leaves (a period, or a block that is drawn together), and how long that is. */
  readonly leaves: number;
  readonly stretch: number;
  /** What single rounds leave. Those of one block are no independent draws: only whole blocks multiply. */
  readonly single: number;
  /** Rounds after which disagreement is sure to be down to TOLERANCE; Infinity where nothing is promised. */
  readonly rounds: number;
  /** It holds for the root of the mean square over what is drawn: one run may be above it. */
  readonly meanSquare: boolean;
}

/** What the rate promises after t rounds, as a share of the disagreement at the start: by rounds or by whole stretches. */
export function promised({ leaves, stretch, single }: KnownRate, t: number): number {
  return Math.min(single ** t, leaves ** Math.floor(t / stretch));
}

/** What goes wrong counts, too: a promise for another network than the measured one would be none. */
export interface RatesQuestion
  extends Pick<Setting, "n" | "seed">,
    Partial<Pick<Setting, "drop" | "push" | "kill" | "cut">> {
  readonly topologies: readonly Chosen[];
}

type Sofar = readonly (KnownRate | Trouble | undefined)[];

export function* rates(question: RatesQuestion): Generator<Sofar | undefined, (KnownRate | Trouble)[]> {
  const known: (KnownRate | Trouble)[] = [];
  for (const chosen of question.topologies) {
    yield [...known];
    known.push(orTrouble(() => rateOf(chosen, question)));
  }
  return known;
}

function rateOf(chosen: Chosen, question: RatesQuestion): KnownRate | Trouble {
  const { n, drop = 0, push = false, kill = [], cut = [] } = question;
  const topology = topologyOf(chosen, question);
  if (kill.some(({ node }) => node < n) || cut.some(({ pair }) => Math.max(...pair) < n)) {
    return { trouble: "nothing is promised where nodes are down or links are cut" };
  }
  if (drop > 0) return rateWithLoss(topology, drop, push);
  const { rate, bound, method, periodNorm } = topology.rate();
  const { block = 1, period } = topology;
  const stretch = block > 1 ? block : periodNorm === undefined ? 1 : (period ?? 1);
  return {
    ...{ rate, bound, method, stretch },
    leaves: stretch === 1 ? rate : (periodNorm ?? rate),
    single: block > 1 ? 1 : rate,
    rounds: predictedRounds(topology, TOLERANCE),
    meanSquare: topology.kind === "random",
  };
}

/** The same where messages are dropped. The paper's bounds know no losses. */
function rateWithLoss(topology: Topology, drop: number, push: boolean): KnownRate | Trouble {
  const lossy = push && !topology.symmetric ? undefined : lossyRate(topology, drop);
  if (lossy === undefined) return { trouble: "no exact rate is known where its messages are dropped" };
  const { single, leaves, stretch } = lossy;
  return {
    ...{ ...lossy, rate: single, bound: null, method: "mean square over what is dropped", meanSquare: true },
    rounds: Math.min(roundsUntil(single), stretch * roundsUntil(leaves)),
  };
}

/** The least m with factor^m <= TOLERANCE. */
function roundsUntil(factor: number): number {
  if (factor <= TOLERANCE) return 1;
  return factor < 1 ? Math.ceil(Math.log(TOLERANCE) / Math.log(factor) - 1e-9) : Number.POSITIVE_INFINITY;
}
