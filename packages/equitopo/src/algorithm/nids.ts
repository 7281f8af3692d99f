/**
 * NIDS (Li, Shi and Yan, 2019):
 *
 *   X_1 = X_0 - g G_0, then X+ = (I + W)/2 (2X - X_prev - (g G - g_prev G_prev)).
 *
 * W static and symmetric, or rounds whose stability radius is below 1 (rate/stability.ts); one vector per iteration, none
 * in the first. Exact.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { stableDiffusion } from "./condition.ts";
import { startDiffusion } from "./exact-diffusion.ts";

export const nids = defineAlgorithm({
  name: "nids",
  summary: "bias-corrected DSGD whose learning rate does not depend on the network",
  update: "X1 = X0 - g G0; X+ = (I+W)/2 (2X - X_prev - g(G - G_prev))",
  condition: stableDiffusion,
  exact: true,
  states: { psi: "share" },
  start: (world, _options, saved) => startDiffusion(world, { lazy: true, quiet: true }, saved),
});
