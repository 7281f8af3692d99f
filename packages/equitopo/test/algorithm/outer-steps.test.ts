/** What travels of an outer step: compressed, in fragments, late. oracle.test.ts has the equations of every rule with them. */

import { expect, test } from "vitest";
import { type AlgorithmSpec, createAlgorithm } from "../../src/algorithm/registry.ts";
import type { Problem } from "../../src/problem/problem.ts";
import { simulate } from "../../src/run/simulate.ts";
import { disagreement, gap, meanOf } from "../../src/testing/network.ts";
import { createTopology } from "../../src/topology/registry.ts";

const n = 8;
const sgd = { name: "sgd" };

/** f_i = ||x - c_i||^2 / 2 at node i; where mixing alone is to be shown, nodes drift apart in the first eight updates only. */
function runOf(spec: AlgorithmSpec, { d = 4, updates = 48, graph = "od-equidyn", still = false } = {}) {
  const problem: Problem = {
    ...{ name: "apart", n, d, start: Float64Array.from({ length: d }, (_, k) => Math.cos(k)), metrics: () => ({}) },
    gradient(x, t, out, first, count) {
      for (let k = 0; k < count * d; k++) out[k] = still && t >= 8 ? 0 : x[k] - Math.sin(7 * (first * d + k));
    },
  };
  const algorithm = createAlgorithm({ learningRate: 0.02, inner: sgd, ...spec });
  return simulate({ topology: createTopology({ name: graph, n }), algorithm, problem, updates, seed: 2 });
}

const quantise = (bits: number) => ({ compress: { name: "quantise", bits } });

test("compressed messages keep the mean; models come as near to each other as a unit or two, and no nearer", () => {
  const d = 600;
  for (const [bits, graph] of [
    [8, "od-equidyn"],
    [4, "od-equidyn"],
    [8, "ring"],
    [4, "ring"],
  ] as const) {
    const what = `${bits} bits over ${graph}`;
    const spec = { name: "local-adamw", steps: 4 };
    const [plain, coded] = [spec, { ...spec, ...quantise(bits) }].map((one) =>
      runOf(one, { d, updates: 600, graph, still: true }),
    );
    // The mean over the nodes is the same to rounding: nothing is lost by compression, and nothing is added.
    expect(gap(meanOf(plain.x, d), meanOf(coded.x, d)), what).toBeLessThan(1e-12);
    const unit = Math.max(...[...coded.x].map(Math.abs)) / (2 ** (bits - 1) - 1);
    // The largest distance of a number from its mean.
    expect(disagreement(coded.x, d) / unit, what).toBeGreaterThan(0.7);
    expect(disagreement(coded.x, d) / unit, what).toBeLessThan(2);
    expect(disagreement(plain.x, d), what).toBeLessThan(1e-9);
  }
});

test("bytes: a number for every 256, and 8 or 4 bits each; fragments send as much in all, whatever divides d", () => {
  const bytes = (spec: AlgorithmSpec, graph = "one-peer-exp") =>
    runOf(spec, { d: 700, graph, updates: 24 }).bytes.at(-1);
  const spec = { name: "gossip-diloco", steps: 6 };
  expect(bytes(spec)).toBe(4 * 700 * 8);
  expect(bytes({ ...spec, ...quantise(8) })).toBe(4 * (700 + 3 * 8));
  expect(bytes({ ...spec, ...quantise(4) })).toBe(4 * (350 + 3 * 8));
  expect(bytes({ ...spec, fragments: 3 })).toBe(4 * 700 * 8);
  // 233 and 234 numbers: one of 256 each.
  expect(bytes({ ...spec, ...quantise(8), fragments: 3 })).toBe(4 * (700 + 3 * 8));
  // The last of four is under way at the end.
  expect(bytes({ ...spec, late: true })).toBe(3 * 700 * 8);
  expect(createAlgorithm({ ...spec, ...quantise(4), fragments: 3 }).sends.compressed?.(700, 4)).toBe(351 + 3 * 4);
});

test("a fragment goes through all rounds of a period that the fragments divide", () => {
  // Three distances: 1, 2, 4. Fragment f of three would see one of them only if exchanges were counted instead of steps.
  const { x } = runOf({ name: "local-adamw", steps: 3, fragments: 3 }, { d: 6, graph: "one-peer-exp", still: true });
  expect(disagreement(x, 6)).toBeLessThan(1e-9);
});

test("a late step is as stable as the rule: pairs and means, which a delayed difference would not be", () => {
  for (const [name, graph] of [
    ["local-adamw", "one-peer-exp"],
    ["local-adamw", "complete"],
    ["diloco", "ring"],
  ]) {
    const { x } = runOf({ name, steps: 3, late: true }, { updates: 300, graph, still: true });
    expect(disagreement(x, 4), `${name} over ${graph}`).toBeLessThan(1e-9);
  }
});

test("what does not divide, or is more than there is, is refused with a remedy", () => {
  const refused = (options: object) => () => runOf({ name: "diloco", ...options });
  expect(refused({ steps: 10, fragments: 3 })).toThrow(
    /steps must be a multiple of fragments, 3.*got 10; try steps = 12/,
  );
  expect(refused({ steps: 8, fragments: 8 })).toThrow(/fragments must be at most d = 4.*got 8; try 4/);
  expect(refused({ compress: { name: "top-k" } })).toThrow(/compress must be none, or quantise with 8 or 4 bits/);
  expect(refused({ compress: { name: "quantise", bits: 2 } })).toThrow(/8 or 4 bits/);
  expect(refused({ compress: "quantise" })).toThrow(/try \{ name: "quantise", bits: 8 \}/);
  expect(refused({ compress: { name: "quantise", keep: 1 } })).toThrow(/compress/);
  const both = { name: "gossip-diloco", mixMomentum: true, ...quantise(8) };
  expect(() => runOf(both)).toThrow(
    /cannot do several-vectors with compression: an encoded message takes the place of one/,
  );
  expect(() => runOf({ name: "noloco", pull: 0.2, ...quantise(8) })).toThrow(/several-vectors with compression/);
  const over = { graph: "ceca-1p" };
  expect(() => runOf({ name: "local-adamw", rounds: 3, ...quantise(8) }, over)).toThrow(/two-vectors with compression/);
  expect(() => runOf({ name: "local-adamw", rounds: 3, steps: 4, fragments: 2 }, over)).toThrow(
    /two-vectors with fragments/,
  );
});
