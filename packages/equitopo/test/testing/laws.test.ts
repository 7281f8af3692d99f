/** The suites that others hold their members to: members that are not registered pass, broken ones are found out. */

import { describe, expect, test } from "vitest";
import { algorithms } from "../../src/algorithm/registry.ts";
import type { Problem } from "../../src/problem/problem.ts";
import { problems } from "../../src/problem/registry.ts";
import { circulantRate } from "../../src/rate/circulant.ts";
import { algorithmLaws, type Law, problemLaws, topologyLaws } from "../../src/testing/index.ts";
import { circulantTopology } from "../../src/topology/circulant.ts";
import { defineTopology, type Topology } from "../../src/topology/topology.ts";

async function broken(laws: readonly Law[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of laws) {
    try {
      await run();
    } catch {
      names.push(name);
    }
  }
  return names;
}

describe("topologyLaws", () => {
  const hop = (change: (topology: Topology) => Topology) =>
    defineTopology({
      name: "hop",
      summary: "directed, static, degree 1",
      source: "an example",
      options: {},
      create: ({ n }) => change(circulantTopology({ name: "hop", n }, 0.5, [1], [0.5], circulantRate)),
    });
  const found = (change: (topology: Topology) => Topology) => broken(topologyLaws(hop(change), { sizes: [3, 5, 8] }));

  test("pass for one that is not in the registry", async () => {
    expect(await found((topology) => topology)).toEqual([]);
  });

  test("find what is wrong", async () => {
    expect(await found((t) => ({ ...t, maxDegree: 2 }))).toEqual(["the stated degree is the true one"]);
    expect(await found((t) => ({ ...t, directed: false }))).toEqual(["symmetric and directed are as declared"]);
    expect(await found((t) => ({ ...t, peers: (r, i) => ({ ...t.peers(r, i), self: 0.4 }) }))).toEqual([
      "peers(t, i) agrees with round(t)",
    ]);
    expect(await found((t) => ({ ...t, rate: () => ({ ...t.rate(), rate: 0.1 }) }))).toEqual([
      "the exact rate is the dense oracle's",
      "the measured contraction never exceeds the exact rate",
    ]);
    expect(await found((t) => ({ ...t, spec: { ...t.spec, colour: "red" } }))).toEqual([
      "the spec builds the same again",
    ]);
  });
});

test("algorithmLaws find traffic that is not what is declared", async () => {
  const dsgd = algorithms.get("dsgd");
  expect(await broken(algorithmLaws({ ...dsgd, name: "mine", sends: () => ({ vectors: 2 }) }))).toEqual([
    "sends what it declares",
  ]);
});

test("problemLaws find gradients that lead uphill or depend on who asks", async () => {
  const logistic = problems.get("logistic");
  const changed = (change: (problem: Problem) => Problem) =>
    broken(
      problemLaws(
        {
          ...logistic,
          create: (options, context) => change(logistic.create({ ...options, L: 20 }, context)),
        },
        { noisy: { sigmaN: 0.5 }, quiet: { sigmaN: 0 } },
      ),
    );
  expect(await changed((problem) => problem)).toEqual([]);
  const uphill = (problem: Problem): Problem => ({
    ...problem,
    gradient(x, t, out, first, count) {
      problem.gradient(x, t, out, first, count);
      for (let k = 0; k < out.length; k++) out[k] = -out[k];
    },
  });
  expect(await changed(uphill)).toEqual(["the negative gradient leads downhill"]);
  const selfish = (problem: Problem): Problem => ({
    ...problem,
    gradient(x, t, out, first, count) {
      problem.gradient(x, t, out, first, count);
      out[0] += count;
    },
  });
  expect(await changed(selfish)).toContain("any nodes alone have the gradients they have among all");
});
