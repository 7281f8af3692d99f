import { createTopology, topologies } from "equitopo";
import { thinRound } from "equitopo/internal/faults";
import { forEachEdge } from "equitopo/round";
import { describe, expect, test } from "vitest";
import { pickEdges } from "../../src/work/edges.ts";

const pairsOf = (ends: Int32Array) =>
  Array.from({ length: ends.length / 2 }, (_, k) => `${ends[2 * k]} ${ends[2 * k + 1]}`);

describe("every family", () => {
  const accepted = topologies.filter(({ refuses }) => refuses?.(16) === undefined).map(({ name }) => name);
  test.each(accepted)("%s: every edge of a round once, where there is room", (name) => {
    const topology = createTopology({ name, n: 16 });
    const round = topology.round(1);
    const expected: string[] = [];
    forEachEdge(round, (from, to) => {
      const [low, high] = topology.symmetric ? [Math.min(from, to), Math.max(from, to)] : [from, to];
      expected.push(`${low} ${high}`);
    });
    const { ends, all, allDropped } = pickEdges(round, round, topology.symmetric);
    const found = pairsOf(ends).map((pair) => {
      const [from, to] = pair.split(" ").map(Number);
      return topology.symmetric ? `${Math.min(from, to)} ${Math.max(from, to)}` : pair;
    });
    expect(found.length).toBe(all);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(allDropped).toBe(0);
  });
});

test.each(["od-equidyn", "complete", "ring", "torus", "ou-equidyn", "static-exp"])(
  "%s: as many as a picture has room for, spread over all nodes",
  (name) => {
    const topology = createTopology({ name, n: 2500 });
    const round = topology.round(0);
    const { ends, all } = pickEdges(round, round, topology.symmetric, 100);
    expect(all).toBeGreaterThan(1000);
    expect(ends.length / 2).toBeGreaterThan(95);
    expect(ends.length / 2).toBeLessThanOrEqual(101);
    expect(new Set(ends.map((node) => Math.floor(node / 500))).size).toBe(5);
  },
);

test("dropped messages are marked and counted", () => {
  const topology = createTopology({ name: "od-equidyn", n: 10 });
  const planned = topology.round(0);
  const arriving = thinRound(planned, (_from, to) => to < 3, "receiver");
  const { ends, dropped, all, allDropped } = pickEdges(planned, arriving, false);
  expect([all, allDropped]).toEqual([10, 3]);
  for (let k = 0; k < 10; k++) expect(dropped[k]).toBe(ends[2 * k + 1] < 3 ? 1 : 0);
});
