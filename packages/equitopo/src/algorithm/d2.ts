/**
 * D2 (Tang, Lian, Yan, Zhang and Liu, 2018):
 *
 *   first V (X - g G), then X+ = V (2X - X_prev - (g G - g_prev G_prev)),
 *
 * V = W where W is static and symmetric with lambda_min(W) > -1/3, else (I + W(t))/2. Any rounds whose stability radius is
 * below 1 (rate/stability.ts), one vector per iteration. Exact.
 */

import type { Topology } from "../topology/topology.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { stableDiffusion } from "./condition.ts";
import { startDiffusion } from "./exact-diffusion.ts";

/** Whether D2 is stable on W itself: z^2 = lambda (2z - 1) has both roots inside the circle iff lambda > -1/3. */
export function d2MixesDirectly(topology: Topology): boolean {
  const { eigenvalues, error = 0 } = topology.rate();
  return eigenvalues !== undefined && eigenvalues.smallest - error > -1 / 3 + 1e-12;
}

export const d2 = defineAlgorithm({
  name: "d2",
  summary: "bias-corrected DSGD on W itself where its smallest eigenvalue allows",
  update: "X+ = V(2X - X_prev - g(G - G_prev)), V = W if static symmetric and lambda_min > -1/3, else (I+W)/2",
  condition: stableDiffusion,
  exact: true,
  states: { psi: "share" },
  start: (world, _options, saved) =>
    startDiffusion(world, { lazy: !d2MixesDirectly(world.topology), quiet: false }, saved),
});
