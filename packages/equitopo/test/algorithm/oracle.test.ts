/** Each algorithm against the naive dense one of oracle.ts, and push-sum where only the columns sum to 1. */

import { describe, expect, test } from "vitest";
import { type AlgorithmSpec, algorithms, createAlgorithm } from "../../src/algorithm/registry.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { gap, trajectory } from "../../src/testing/network.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { sparseRound, sparseTopology } from "../../src/topology/graph.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Neighbour, Topology } from "../../src/topology/topology.ts";
import { type Matrix, oracles } from "./oracle.ts";
import { title, variants } from "./variants.ts";

const n = 9;
const d = 4;
const rounds = 50;
const seed = 3;
const matrices = [[1, 3]] as const;
const problem = { ...quadratic({ n, d, sigma: 0.3 }), matrices };
const x0 = Float64Array.from({ length: n * d }, (_, k) => Math.sin(k));

const topologies = [
  { name: "ring", n },
  // lambda_min = -0.72: D2 must not mix with W itself.
  { name: "u-equistatic", n, basis: [4] },
  { name: "star", n },
  { name: "complete", n },
  { name: "d-equistatic", n, basis: [1, 3, 5] },
  { name: "one-peer-exp", n },
  { name: "od-equidyn", n, seed: 5 },
  { name: "ou-equidyn", n, seed: 5 },
  { name: "ceca-2p", n },
  { name: "el-local", n, s: 2 },
].map(createTopology);

const dense = (flat: ArrayLike<number>, width: number): Matrix =>
  Array.from({ length: flat.length / width }, (_, i) => Array.from({ length: width }, (_, j) => flat[i * width + j]));

function compare(spec: AlgorithmSpec, topology: Topology): void {
  const optimiser = createAlgorithm(spec);
  const fast = trajectory({ optimiser, topology, problem, seed, x0 }, rounds);
  const slow = oracles[spec.name]({
    n,
    d,
    rounds,
    seed,
    X0: dense(x0, d),
    W: (t) => dense(denseMatrix(topology.round(t)), n),
    G: (X, t) => {
      const out = new Float64Array(n * d);
      problem.gradient(Float64Array.from(X.flat()), t, out, 0, n);
      return dense(out, d);
    },
    g: optimiser.learningRate,
    options: optimiser.spec,
    ...{ matrices, pair: topology.pair !== undefined },
  });
  for (let t = 0; t < rounds; t++) expect(gap(fast[t], slow[t].flat()), `after ${t + 1} updates`).toBeLessThan(1e-10);
  // A run that blew up or stood still would prove little.
  expect(gap(fast[rounds - 1], x0)).toBeGreaterThan(1e-2);
  expect(gap(fast[rounds - 1], new Float64Array(n * d))).toBeLessThan(1e3);
}

const specs: readonly AlgorithmSpec[] = [...algorithms.map(({ name }) => ({ name })), ...variants];

describe.each(specs.map((spec) => [title(spec), spec] as const))("%s", (_title, spec) => {
  const { algorithm, spec: settled } = createAlgorithm(spec);
  const fitting = topologies.filter((topology) => algorithm.condition.unfit(topology, settled) === undefined);

  test.each(fitting.map((topology) => [topology.name, topology] as const))("over %s", (_name, topology) => {
    compare({ learningRate: 0.005, ...spec }, topology);
    compare({ learningRate: { name: "step", rate: 0.008, factor: 1.5, every: 7, floor: 0.002 }, ...spec }, topology);
  });
});

test("push-sum where only the columns sum to 1", () => {
  // Node j keeps a third or a half, and sends the rest on in equal parts to its one or two receivers.
  const links: Neighbour[][] = Array.from({ length: n }, () => []);
  const self = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const receivers = j % 3 === 0 ? [(j + 1) % n] : [(j + 1) % n, (j + 4) % n];
    self[j] = 1 / (receivers.length + 1);
    for (const i of receivers) links[i].push({ node: j, weight: self[j] });
  }
  const topology = sparseTopology(
    { name: "push", n },
    sparseRound(n, (i) => links[i], self),
    false,
  );
  const { condition } = createAlgorithm({ name: "dsgd" }).algorithm;
  expect(condition.unfit(topology)).toMatch(/^row \d of its W sums to/);
  compare({ name: "push-sum", learningRate: 0.005 }, topology);
});
