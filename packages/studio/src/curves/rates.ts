/**
 * The exact consensus rates of topologies, and the paper's bounds: news as each is known. Those in closed form take
 * milliseconds, certified iterations a second or so at n = 10,000; so the curves do not wait for them.
 */

import { createTopology } from "equitopo";
import type { Chosen } from "../topology-field.ts";

export interface RatesQuestion {
  readonly topologies: readonly Chosen[];
  readonly n: number;
  readonly seed: number;
}

export interface KnownRate {
  /** The topology's place in the question. */
  readonly place: number;
  readonly rate: number;
  readonly bound: number | null;
  readonly method: string;
}

export function* rates({ topologies, n }: RatesQuestion): Generator<KnownRate | undefined, readonly KnownRate[]> {
  const known: KnownRate[] = [];
  for (const [place, chosen] of topologies.entries()) {
    const { rate, bound, method } = createTopology({ ...chosen, n }).rate();
    known.push({ place, rate, bound, method });
    yield known[known.length - 1];
  }
  return known;
}
