/** What algorithms ask of W: rows and columns are looked at each for themselves. */

import { expect, test } from "vitest";
import { columnStochastic, doublyStochastic, staticSymmetric } from "../../src/algorithm/condition.ts";
import { createAlgorithm, leastSquares, ring, simulate } from "../../src/index.ts";
import { sparseRound, sparseTopology } from "../../src/topology/graph.ts";
import type { Topology } from "../../src/topology/topology.ts";

/** Node 0 hears node 1, and nobody hears node 0: row sums are 1, columns are not. */
const rowsOnly = sparseTopology(
  { name: "own", n: 3 },
  sparseRound(3, (i) => (i === 0 ? [{ node: 1, weight: 0.5 }] : [])),
  false,
);

/** The other way round: node 1 gives half of what it has to node 0. */
const columnsOnly = sparseTopology(
  { name: "own", n: 3 },
  sparseRound(3, (i) => (i === 0 ? [{ node: 1, weight: 0.5 }] : []), Float64Array.of(1, 0.5, 1)),
  false,
);

test("rows that sum to 1 are not enough for a mean that is kept", () => {
  expect(doublyStochastic.unfit(rowsOnly)).toContain("column 0 of its W sums to 0.5");
  expect(columnStochastic.unfit(rowsOnly)).toContain("column 0 of its W sums to 0.5");
});

test("columns that sum to 1 are not enough for agreement, but for push-sum", () => {
  expect(doublyStochastic.unfit(columnsOnly)).toContain("row 0 of its W sums to 1.5");
  expect(columnStochastic.unfit(columnsOnly)).toBeUndefined();
});

test("a symmetric label does not stand in for the sums", () => {
  const says: Topology = { ...rowsOnly, symmetric: true };
  expect(staticSymmetric.unfit(says)).toContain("column 0");
  expect(staticSymmetric.unfit(ring({ n: 5 }))).toBeUndefined();
});

test("push-sum SGD pays for its weight: d + 1 numbers a message", () => {
  const problem = leastSquares({ n: 6, d: 4, K: 3 });
  const bytes = (name: string) =>
    simulate({ topology: ring({ n: 6 }), algorithm: { name, learningRate: 0.01 }, problem, rounds: 5 }).bytes.at(-1);
  expect(createAlgorithm({ name: "push-sum" }).sends).toEqual({ vectors: 1, scalars: 1 });
  expect(bytes("dsgd")).toBe(5 * 2 * 4 * 8);
  expect(bytes("push-sum")).toBe(5 * 2 * 5 * 8);
});
