/**
 * The norm guard: an exchange over more than the radius is void.
 *
 *   y_i = x_i + sum over j with ||x_j - x_i|| <= radius of w_ij (x_j - x_i).
 *
 * Promises. ||x_j - x_i|| is the same number at both ends, so in undirected rounds both void an exchange or neither does:
 * what is left of W is symmetric and doubly stochastic, and the mean of honest nodes is kept whatever was voided. What is
 * sent from beyond the radius moves nobody, what is sent from within it moves x_i by at most w_ij radius. In directed
 * rounds the receiver keeps the weight, and the mean moves.
 *
 * Costs. One more pass over the rows heard. Honest nodes that are further apart than the radius never meet: where training
 * drives them apart faster than their neighbours hold them, the network falls into groups. A liar that stays inside the
 * radius (a-little-is-enough) is believed.
 */

import { defineDefence } from "./defence.ts";
import { byDistance, radiusOption } from "./difference.ts";

export const guard = defineDefence({
  name: "guard",
  summary: "an exchange with a model further than `radius` from one's own is void",
  source: "the rule of both ends",
  options: { radius: radiusOption },
  keepsMean: true,
  // What is not a number compares as false: void.
  create: ({ radius }) => byDistance(radius, (distance) => (distance <= radius ? 1 : 0)),
});
