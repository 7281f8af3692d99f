/** Costs are the meter's: rounds counted one by one, and scaled. */

import { expect, test } from "vitest";
import { costOfAllReduce, costOfRounds } from "../../src/advise/cost.ts";
import { createTopology, ring } from "../../src/index.ts";

const network = { modelBytes: 1000, latency: 0.01, bandwidth: 1e5 };

test("a round costs what its busiest node sends, one message after another", () => {
  expect(costOfRounds(ring({ n: 9 }), 5, network)).toEqual({ bytes: 10_000, seconds: expect.closeTo(0.2, 12) });
  expect(costOfRounds(ring({ n: 9 }), 1e6, network).bytes).toBe(2e9);
  expect(costOfRounds(ring({ n: 9 }), Number.POSITIVE_INFINITY, network).seconds).toBe(Number.POSITIVE_INFINITY);
  // Two vectors in one message save the second latency.
  expect(costOfRounds(ring({ n: 9 }), 1, network, 2).seconds).toBeCloseTo(2 * 0.03, 12);
});

test("rounds of a period that differ are counted as they come", () => {
  // Base-5 on 300 nodes: 13 messages in its four rounds, not 4 times 4.
  const base = createTopology({ name: "base", n: 300, k: 4 });
  expect(costOfRounds(base, 4, network).bytes).toBe(13_000);
  expect(costOfRounds(base, 400, network).bytes).toBeCloseTo(1_300_000, 6);
});

test("an all-reduce sends lost messages again", () => {
  const clean = costOfAllReduce(10, 3, network);
  expect(clean.bytes).toBeCloseTo((3 * 2 * 9 * 1000) / 10, 9);
  expect(costOfAllReduce(10, 3, network, 0.5).seconds).toBeCloseTo(2 * clean.seconds, 12);
});
