/** Relabelled graphs: the laws of every topology, exact blocks, and mean squares over all labels. */

import { describe, expect, test } from "vitest";
import { labelMoments, productSquare } from "../../src/rate/labels.ts";
import { applyRound } from "../../src/round/apply.ts";
import { denseMatrix, type Round } from "../../src/round/round.ts";
import { multiply } from "../../src/testing/dense.ts";
import { near, refuses } from "../../src/testing/law.ts";
import { rateChecks } from "../../src/testing/rate.ts";
import { checkAt, topologyChecks } from "../../src/testing/topology.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import { relabelled } from "../../src/topology/relabel.ts";
import { torus } from "../../src/topology/torus.ts";
import { accepted } from "./topologies.ts";

/** Those that have some n this small: larger ones take long, and relabelling does not look at n. */
const fixed = topologies.filter((family) => family.random !== true && accepted(family, 2, 17).length > 0);

describe.each(fixed)("$name, relabelled", (family) => {
  const { name } = family;
  const sizes = accepted(family, 2, 17).slice(-3);

  test("keeps every law of a topology and of its rate", () => {
    const laws = [...Object.values(topologyChecks), ...Object.values(rateChecks)];
    for (const n of sizes) for (const law of laws) checkAt({ name, n, relabel: true, seed: 3 }, createTopology, law);
  });

  test("is random, in blocks, and each of its rounds is the graph's under other labels", () => {
    for (const n of sizes) {
      const graph = createTopology({ name, n });
      const random = createTopology({ name, n, relabel: true });
      expect(random).toMatchObject({ kind: "random", period: undefined, block: graph.exactAfter ?? graph.period });
      expect([random.directed, random.symmetric, random.maxDegree, random.exactAfter]).toEqual([
        ...[graph.directed, graph.symmetric, graph.maxDegree, graph.exactAfter],
      ]);
      // Permuting rows and columns alike leaves the weights as a whole and those on the diagonal.
      const weights = (round: Round) => Array.from(denseMatrix(round)).sort();
      expect(weights(random.round(1))).toEqual(weights(graph.round(1 % (graph.period ?? 1))));
      expect(labelMoments(random.round(1)).mean).toBeCloseTo(labelMoments(graph.round(1)).mean, 12);
    }
  });
});

test("labels change from block to block, not inside one; another seed has others", () => {
  const graph = relabelled(onePeerExp({ n: 32 }), 1);
  const product = (first: number) => {
    const dense = Array.from({ length: 5 }, (_, t) => denseMatrix(graph.round(first + t)));
    return dense.reduce((earlier, w) => multiply(w, earlier, 32));
  };
  // Aligned with a block the product of one period is J; across two it is not.
  for (const first of [0, 5, 500]) for (const value of product(first)) near(value, 1 / 32, `from ${first}`);
  expect(Math.max(...product(2))).toBeGreaterThan(2 / 32);
  const rounds = [graph.round(0), graph.round(5), relabelled(onePeerExp({ n: 32 }), 2).round(0)];
  expect(new Set(rounds.map((round) => denseMatrix(round).join())).size).toBe(3);
});

/** All orders of 0 .. n-1. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((order) =>
    Array.from({ length: n }, (_, k) => [...order.slice(0, k), n - 1, ...order.slice(k)]),
  );
}

test("the mean and the mean square are those over all 120 labellings of five nodes", () => {
  for (const spec of [
    { name: "star", n: 5 },
    { name: "static-exp", n: 5 },
    { name: "torus", n: 5, lazy: true },
  ]) {
    const round = createTopology(spec).round(0);
    const w = denseMatrix(round);
    const x = [1, -3, 0.5, 2, -0.5];
    let dot = 0;
    let square = 0;
    for (const o of orders(5)) {
      for (let i = 0; i < 5; i++) {
        let sum = 0;
        for (let j = 0; j < 5; j++) sum += w[o[i] * 5 + o[j]] * x[j];
        dot += (sum * x[i]) / 120;
        square += sum ** 2 / 120;
      }
    }
    const size = x.reduce((sum, value) => sum + value ** 2, 0);
    near(labelMoments(round).mean, dot / size, `${spec.name}: mean`);
    near(labelMoments(round).square, square / size, `${spec.name}: mean square`);
    expect(relabelled(createTopology(spec)).moments).toEqual(labelMoments(round));
  }
});

test("a block's mean square is that of the dense product: circulants from one column, others from all", () => {
  for (const n of [7, 12, 100]) {
    const period = onePeerExp({ n }).period as number;
    const shifts = Array.from({ length: period }, (_, t) => onePeerExp({ n }).round(t));
    const square = (rounds: readonly Round[]) => {
      const product = rounds.map(denseMatrix).reduce((earlier, w) => multiply(w, earlier, n));
      return (product.reduce((sum, value) => sum + value * value, 0) - 1) / (n - 1);
    };
    near(productSquare(shifts), square(shifts), `one-peer-exp, n = ${n}`);
    const mixed = [torus({ n }).round(0), ...shifts];
    near(productSquare(mixed), square(mixed), `torus and one-peer-exp, n = ${n}`);
    expect(relabelled(onePeerExp({ n })).rate().periodNorm).toBeCloseTo(Math.sqrt(square(shifts)), 12);
  }
});

test("what is measured over many blocks is the exact mean square", () => {
  const graph = relabelled(torus({ n: 20 }), 4);
  const x = Float64Array.from({ length: 20 }, (_, i) => (i === 3 ? 0.95 : -0.05));
  const size = x.reduce((sum, value) => sum + value * value, 0);
  const draws = 4000;
  let mean = 0;
  let squares = 0;
  for (let t = 0; t < draws; t++) {
    const y = applyRound(graph.round(t), x, new Float64Array(20));
    const share = y.reduce((sum, value) => sum + value * value, 0) / size;
    mean += share / draws;
    squares += share ** 2 / draws;
  }
  const deviation = Math.sqrt(Math.max(0, squares - mean ** 2) / draws);
  expect(Math.abs(mean - graph.rate().rate ** 2)).toBeLessThan(4 * deviation + 1e-12);
});

test("random families refuse it with the reason; others name it where an option is misspelt", () => {
  for (const { name } of topologies.filter(({ random }) => random === true)) {
    const build = () => createTopology({ name, n: 16, relabel: true });
    refuses(build, /relabel is an option of static and periodic topologies.*drawn anew already/, name);
  }
  refuses(() => createTopology({ name: "ring" as string, n: 9, relable: true }), /did you mean relabel/, "a slip");
  refuses(() => createTopology({ name: "ring", n: 9, seed: 1 }), /takes the options/, "a seed without relabel");
});
