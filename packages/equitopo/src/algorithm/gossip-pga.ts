/**
 * Gossip-PGA, gossip with periodic global averaging (Chen, Yuan, Zhang, Pan, Xu and Yin, 2021):
 *
 *   m = b m + G;   X+ = W (X - g m), and J (X - g m) when H divides t + 1.
 *
 * W doubly stochastic; one vector a round, and an all-reduce in its place every H-th. Biased, less so than DSGD.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { doublyStochastic } from "./condition.ts";
import { startMomentum } from "./dmsgd.ts";
import { share, whole } from "./option.ts";
import { reroute } from "./reroute.ts";

export const gossipPga = defineAlgorithm({
  name: "gossip-pga",
  summary: "DSGD with an exact average in every H-th iteration",
  update: "m = b m + G; X+ = W(X - g m), and J(X - g m) every H-th time",
  condition: doublyStochastic,
  exact: false,
  options: { period: whole(6, 1), momentum: share(0) },
  sends: ({ period }) => ({ vectors: 1 - 1 / period, reductions: 1 / period }),
  start: (world, { period, momentum }, saved) =>
    reroute(startMomentum(world, momentum, saved), (t) => ((t + 1) % period === 0 ? "mean" : "topology")),
});
