/**
 * Local steps (local SGD over a graph):  W = I for H - 1 iterations, then W, over and over.
 *
 *   m = b m + G;   X+ = X - g m, and W(k) (X - g m) when t + 1 = (k + 1) H.
 *
 * W doubly stochastic, one vector every H iterations; the k-th exchange uses round k of the topology. Biased, more so
 * than DSGD.
 */

import { share, whole } from "../input/option.ts";
import { defineAlgorithm, oneExchange } from "./algorithm.ts";
import { startMomentum } from "./dmsgd.ts";

export const localSteps = defineAlgorithm({
  name: "local-steps",
  summary: "DSGD that mixes in every H-th iteration only",
  update: "m = b m + G; X+ = X - g m, and W(X - g m) every H-th time",
  options: { steps: whole(4, 1), momentum: share(0) },
  sends: ({ steps }) => ({ vectors: 1 / steps }),
  exchanges: ({ steps }) => ({ ...oneExchange(), every: steps }),
  states: { m: "own" },
  start: (world, { steps, momentum }, saved) => startMomentum(world, momentum, saved, steps),
});
