/**
 * Local steps (local SGD over a graph):  W = I for H - 1 iterations, then W, over and over.
 *
 *   m = b m + G;   X+ = X - g m, and W (X - g m) when H divides t + 1.
 *
 * W doubly stochastic, one vector every H iterations. Round t of the topology is used when iteration t mixes: with a
 * periodic topology choose H prime to its period, or some rounds never come. Biased, more so than DSGD.
 */

import { share, whole } from "../input/option.ts";
import { defineAlgorithm, oneExchange } from "./algorithm.ts";
import { doublyStochastic } from "./condition.ts";
import { startMomentum } from "./dmsgd.ts";
import { reroute } from "./reroute.ts";

export const localSteps = defineAlgorithm({
  name: "local-steps",
  summary: "DSGD that mixes in every H-th iteration only",
  update: "m = b m + G; X+ = X - g m, and W(X - g m) every H-th time",
  condition: doublyStochastic,
  exact: false,
  options: { steps: whole(4, 1), momentum: share(0) },
  sends: ({ steps }) => ({ vectors: 1 / steps }),
  exchanges: oneExchange,
  states: { m: "own" },
  start: (world, { steps, momentum }, saved) =>
    reroute(startMomentum(world, momentum, saved), (t) => ((t + 1) % steps === 0 ? "topology" : "nobody")),
});
