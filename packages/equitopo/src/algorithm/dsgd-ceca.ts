/**
 * DSGD-CECA (ICML 2023): DSGD over the two-vector rounds of CECA,
 *
 *   G at X where the round sends x, at Z where it sends z;   X <- X - g G,   Z <- Z - g G;   then the round on (X, Z).
 *
 * One gradient and one vector per iteration. Keeps a bias on heterogeneous data at a constant learning rate.
 */

import { defineAlgorithm, initialState } from "./algorithm.ts";
import { pairStep } from "./averaging.ts";
import { twoVector } from "./condition.ts";
import { likeModels } from "./iterations.ts";

export const dsgdCeca = defineAlgorithm({
  name: "dsgd-ceca",
  summary: "decentralised SGD over rounds that mix two vectors a node (CECA)",
  update: "X, Z -= g G(X or Z), whichever is sent; then CECA's round on (X, Z)",
  condition: twoVector,
  states: { z: "share" },
  start(world, _options, saved) {
    const gradient = world.rows();
    const state = initialState(world, saved, { z: likeModels(world) });
    const step = pairStep(state, world.count, world.rows());
    return {
      state,
      *iterate(t) {
        const pair = world.topology.pair!(t);
        world.gradient(state[pair.sends], t, gradient);
        const rate = world.learningRate(t);
        world.passes.descend(state.x, rate, gradient);
        world.passes.descend(state.z, rate, gradient);
        yield* step(pair);
      },
    };
  },
});
