/**
 * What a round leaves of a disagreement in the long run: the spectral radius of Pi W, of one period's product per round.
 * Below the rate where W is not normal, and no bound for any number of rounds: the powers of such a W may stay near 1 for
 * long before they fall (normOver tells).
 */

import { mixed, projection } from "./dense.ts";
import { spectralRadius } from "./eigenvalues.ts";
import { DENSE_NODES } from "./gains-dense.ts";
import { isNormal } from "./product.ts";
import { allModal, type RoundSequence, repeatsInOrder } from "./sequence.ts";

/**
 * Where a topology does not say: 0 where it is exact, its rate where one W is normal, that of a period for circulant
 * rounds; from dense eigenvalues up to n = 512, O(n^3). undefined for random rounds and larger ones.
 *
 * @example
 * ```ts
 * import { onePeerExp, ring } from "equitopo";
 * import { asymptoticRate } from "equitopo/rate";
 * import { deBruijn } from "equitopo/topology";
 * asymptoticRate(deBruijn({ n: 300, p: 4 })) // => 0.25
 * asymptoticRate(onePeerExp({ n: 300 }))?.toFixed(4) // => "0.8091"
 * asymptoticRate(ring({ n: 300 })) === ring({ n: 300 }).rate().rate // => true
 * ```
 */
export function asymptoticRate(topology: RoundSequence): number | undefined {
  const { n, kind, exactAfter, pair } = topology;
  if (kind === "random") return undefined;
  if (exactAfter !== undefined) return 0;
  const { rate, periodRate, asymptotic } = topology.rate();
  if (asymptotic !== undefined) return asymptotic;
  if (isNormal(topology)) return rate;
  if (allModal(topology)) return periodRate ?? rate;
  if (n > DENSE_NODES || pair !== undefined || !repeatsInOrder(topology)) return undefined;
  let product = projection(n);
  for (let t = 0; t < topology.period!; t++) product = mixed(topology.round(t), product);
  return spectralRadius(product, n) ** (1 / topology.period!);
}
