/**
 * Gossip-PGA, gossip with periodic global averaging (Chen, Yuan, Zhang, Pan, Xu and Yin, 2021):
 *
 *   m = b m + G;   X+ = W (X - g m), and J (X - g m) when H divides t + 1.
 *
 * W doubly stochastic; one vector per iteration, and an all-reduce in its place every H-th. Biased, less so than DSGD.
 */

import { share, whole } from "../input/option.ts";
import { defineAlgorithm, oneExchange } from "./algorithm.ts";
import { startMomentum } from "./dmsgd.ts";
import { reroute } from "./reroute.ts";

export const gossipPga = defineAlgorithm({
  name: "gossip-pga",
  summary: "DSGD with an exact average in every H-th iteration",
  update: "m = b m + G; X+ = W(X - g m), and J(X - g m) every H-th time",
  options: { period: whole(6, 1), momentum: share(0) },
  sends: ({ period }) => ({ vectors: 1 - 1 / period, reductions: 1 / period }),
  exchanges: () => ({ ...oneExchange(), means: true }),
  states: { m: "own" },
  start: (world, { period, momentum }, saved) =>
    reroute(startMomentum(world, momentum, saved), (t) => ((t + 1) % period === 0 ? "mean" : "topology")),
});
