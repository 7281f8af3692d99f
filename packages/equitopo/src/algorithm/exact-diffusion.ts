/**
 * Exact diffusion (Yuan, Ying, Zhao and Sayed, 2019):
 *
 *   psi = X - g G;   phi = psi + X - psi_prev;   X+ = (I + W)/2 phi;   psi_prev starts at X_0.
 *
 * W static and symmetric, or rounds W(t) whose stability radius is below 1 (rate/stability.ts): the mean follows gradient
 * descent and consensus is kept, whatever W(t) is. One vector per iteration. Exact. Written out, phi = 2X - X_prev -
 * (g G - g_prev G_prev): D2 and NIDS are the same step with another V in place of (I + W)/2 or another first round.
 * Holding psi rather than G keeps the mean on plain SGD's path when the learning rate changes.
 */

import { defineAlgorithm, type Running, type State, type World } from "./algorithm.ts";
import { stableDiffusion } from "./condition.ts";
import { iterations, likeModels } from "./iterations.ts";

/** phi = psi + X - psi_prev and X+ = V phi, V = W or (I + W)/2; where `quiet`, the first round is X_1 = X_0 - g G_0. */
export function startDiffusion(
  world: World,
  { lazy, quiet }: { readonly lazy: boolean; readonly quiet: boolean },
  saved?: Readonly<State>,
): Running {
  const gradient = world.rows();
  return iterations(world, saved, { psi: likeModels(world) }, function* (state, t) {
    world.gradient(state.x, t, gradient);
    // The gradient's memory keeps phi while phi is away.
    world.passes.diffuse(state.x, state.psi, gradient, world.learningRate(t));
    if (quiet && t === 0) return;
    [state.x] = yield { vectors: [state.x] };
    if (lazy) world.passes.halfway(state.x, gradient);
  });
}

export const exactDiffusion = defineAlgorithm({
  name: "exact-diffusion",
  summary: "DSGD with its bias corrected, one vector per iteration",
  update: "psi = X - g G; X+ = (I+W)/2 (psi + X - psi_prev)",
  condition: stableDiffusion,
  exact: true,
  states: { psi: "share" },
  start: (world, _options, saved) => startDiffusion(world, { lazy: true, quiet: false }, saved),
});
