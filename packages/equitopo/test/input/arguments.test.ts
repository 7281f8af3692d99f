/** Functions that anybody may call refuse arguments that mean nothing, in place of an answer that does. */

import { expect, test } from "vitest";
import {
  graphTopology,
  InputError,
  predictedRounds,
  RandomStream,
  ring,
  staticExp,
  uEquiStatic,
} from "../../src/index.ts";
import { applyRound, meanRow, squaredDistance } from "../../src/internal/round.ts";
import {
  circulantTopology,
  euclidMatching,
  euclidPartner,
  greedyMatching,
  greedyPartner,
  oneShift,
  sparseRound,
  sparseTopology,
} from "../../src/internal/topology.ts";
import { basisSize, odEquiDynBound, ouEquiDynBound } from "../../src/rate/index.ts";

const rows = (length: number) => new Float64Array(length);
const rate = () => ring({ n: 3 }).rate();

test.each<[string, () => unknown, string]>([
  ["a label difference", () => greedyMatching(10, -3, 0), "v must be an integer from 1 to 9"],
  ["a label difference of n", () => euclidMatching(10, 10, 0), "v must be an integer from 1 to 9"],
  ["a start", () => greedyMatching(10, 3, 10), "s must be an integer from 0 to 9"],
  ["a fractional start", () => euclidMatching(10, 3, 0.5), "s must be an integer from 0 to 9"],
  ["n", () => greedyMatching(1, 1, 0), "n must be an integer of at least 2"],
  ["n beyond labels", () => greedyPartner(2 ** 31, 1, 0, 0), "n must be at most"],
  ["a node", () => greedyPartner(10, 3, 0, 10), "i must be an integer from 0 to 9"],
  ["a node below", () => euclidPartner(10, 3, 0, -1), "i must be an integer from 0 to 9"],
  ["no label difference", () => euclidPartner(10, 0, 0, 1), "v must be an integer from 1 to 9"],
  ["a shift", () => oneShift(10, 0.5).round(10), "s must be an integer from 1 to 9"],
  ["a shift of peers", () => oneShift(10, 0.5).peers(0, 1), "s must be an integer from 1 to 9"],
  ["a weight", () => oneShift(10, 1.5), "weight must lie in [0, 1]"],
  ["a neighbour", () => graphTopology({ name: "own", n: 3 }, () => [3]), "a neighbour must be an integer from 0 to 2"],
  [
    "a node as its own neighbour",
    () => graphTopology({ name: "own", n: 3 }, () => [1]),
    "neighbours of a node must be others",
  ],
  ["the n of a graph", () => graphTopology({ name: "own", n: 1 }, () => []), "n must be an integer of at least 2"],
  ["a link", () => sparseRound(3, () => [{ node: -1, weight: 0.5 }]), "a neighbour must be an integer from 0 to 2"],
  [
    "a round of another n",
    () => {
      const round = sparseRound(3, () => []);
      return sparseTopology({ name: "own", n: 4 }, round, true);
    },
    "the round must be one of n = 4 nodes",
  ],
  [
    "the n of a circulant",
    () => circulantTopology({ name: "own", n: 2.5 }, 0.5, [1], [0.5], rate),
    "n must be an integer",
  ],
  ["a tolerance", () => predictedRounds(ring({ n: 5 }), -1), "tolerance must lie in (0, 1)"],
  ["an option", () => ring({ n: 5, lasy: true } as { n: number }), 'got "lasy"; did you mean lazy?'],
  ["an option of another", () => staticExp({ n: 5, weights: "best-constant" } as { n: number }), "static-exp takes"],
  [
    "an option's value",
    () => ring({ n: 5, weights: "best" as "metropolis" }),
    "weights must be one of metropolis, best-constant",
  ],
  ["a basis size", () => uEquiStatic({ n: 5, m: 0 }), "m must be an integer"],
  ["a rate", () => basisSize(10, 2, 0.5), "rho must lie in (0, 1)"],
  ["eta", () => odEquiDynBound(2, 0.5), "eta must lie in [0, 1]"],
  ["rho", () => ouEquiDynBound(0.5, -1), "rho must lie in [0, 1]"],
  ["a range", () => new RandomStream(0, 1).below(0), "range must be an integer from 1"],
  ["a fractional range", () => new RandomStream(0, 1).below(2.5), "range must be an integer from 1"],
  ["a round of a stream", () => new RandomStream(0, 1).at(-1), "round must be an integer"],
  ["a permutation of nothing", () => new RandomStream(0, 1).permutation(-1), "n must be an integer"],
  ["rows", () => applyRound(ring({ n: 3 }).round(0), rows(4), rows(4)), "n = 3 rows of d numbers"],
  ["rows of another width", () => applyRound(ring({ n: 3 }).round(0), rows(6), rows(3)), "n = 3 rows of d numbers"],
  ["rows of a mean", () => meanRow(rows(7), 3), "x must hold n = 3 rows"],
  ["rows of a distance", () => squaredDistance(rows(7), rows(3)), "rows of 3 numbers"],
])("%s", (_, call, message) => {
  expect(call).toThrow(InputError);
  expect(call).toThrow(message);
});
