/**
 * Clipping around one's own model (ClippedGossip: He, Karimireddy and Jaggi, "Byzantine-Robust Decentralized Learning via
 * ClippedGossip", 2022; with one radius for all it is self-centred clipping, SCC):
 *
 *   y_i = x_i + sum_j w_ij clip(x_j - x_i),   clip(z) = z min(1, radius / ||z||).
 *
 * Promises. Whatever node j sends moves x_i by at most w_ij radius in a round: liars with weight delta at every honest
 * node move the honest mean by at most delta radius a round. clip(-z) = -clip(z): where weights are symmetric an exchange
 * between honest nodes keeps their sum, however much of it was clipped; what is left of W is symmetric and doubly
 * stochastic. In directed rounds clipping moves the mean.
 *
 * Costs. One more pass over the rows heard. Honest nodes that are further apart than the radius come together by w radius
 * a round only: too small a radius slows mixing, too large a one lets liars push. A liar that stays inside the radius
 * (a-little-is-enough) is not limited at all.
 */

import { defineDefence } from "./defence.ts";
import { byDistance, radiusOption } from "./difference.ts";

export const clip = defineDefence({
  name: "clip",
  summary: "what others send counts as at most `radius` away from one's own model",
  source: "He, Karimireddy and Jaggi, 2022",
  options: { radius: radiusOption },
  keepsMean: true,
  create: ({ radius }) =>
    byDistance(radius, (distance) => {
      if (distance <= radius) return 1;
      // What is no number has no direction either.
      return Number.isFinite(distance) ? radius / distance : 0;
    }),
});
