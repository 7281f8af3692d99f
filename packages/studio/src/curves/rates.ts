/**
 * The exact consensus rates of topologies, the paper's bounds, and the rounds that theory promises: told as each is known.
 * Those in closed form take milliseconds, certified iterations a second or so at n = 10,000; so curves do not wait for
 * them, and they are asked of a worker of their own.
 */

import { predictedRounds } from "equitopo";
import { topologyOf } from "../setting-run.ts";
import type { Chosen } from "../topology-field.ts";
import { orTrouble, type Trouble } from "../trouble.ts";
import { type KnownRate, TOLERANCE } from "./promise.ts";

export interface RatesQuestion {
  readonly topologies: readonly Chosen[];
  readonly n: number;
  readonly seed: number;
}

type Sofar = readonly (KnownRate | Trouble | undefined)[];

export function* rates({ topologies, n, seed }: RatesQuestion): Generator<Sofar | undefined, (KnownRate | Trouble)[]> {
  const known: (KnownRate | Trouble)[] = [];
  for (const chosen of topologies) {
    yield [...known];
    known.push(orTrouble(() => rateOf(chosen, n, seed)));
  }
  return known;
}

function rateOf(chosen: Chosen, n: number, seed: number): KnownRate {
  const topology = topologyOf(chosen, { n, seed });
  const { rate, bound, method, periodNorm } = topology.rate();
  const { block = 1, period } = topology;
  const stretch = block > 1 ? block : periodNorm === undefined ? 1 : (period ?? 1);
  return {
    ...{ rate, bound, method, stretch },
    leaves: stretch === 1 ? rate : (periodNorm ?? rate),
    // Rounds of one block are no independent draws: only whole blocks multiply.
    single: block > 1 ? 1 : rate,
    rounds: predictedRounds(topology, TOLERANCE),
  };
}
