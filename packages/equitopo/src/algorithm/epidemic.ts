/**
 * Epidemic Learning (NeurIPS 2023):  X+ = W (X - g G)  with rows of W that sum to 1, where DSGD asks for its columns as well.
 *
 * So it also runs over rounds in which nodes push to whom they like (el-local). There mixing itself moves the mean of the
 * models, and the record says how far (meanDrift); on a doubly stochastic W it is DSGD, to the bit. One vector per
 * iteration. Keeps a bias.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { rowStochastic } from "./condition.ts";
import { dsgd } from "./dsgd.ts";

export const epidemic = defineAlgorithm({
  name: "epidemic",
  summary: "decentralised SGD for weights whose columns need not sum to 1: the mean drifts",
  update: "X+ = W(X - g G)",
  condition: rowStochastic,
  async: "models",
  start: (world, _options, saved) => dsgd.start(world, { order: "adapt-then-combine" }, saved),
});
