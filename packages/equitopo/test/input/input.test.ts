/** Bad input raises InputError: the rule that must hold, the value that came, what to try. */

import { describe, expect, test } from "vitest";
import { InputError, nearest } from "../../src/input/input.ts";
import { basisSize } from "../../src/rate/bounds.ts";
import { customGraph } from "../../src/topology/custom.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import type { TopologySpec } from "../../src/topology/topology.ts";

function errorOf(call: () => unknown): InputError {
  try {
    call();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The message holds all three parts, and they say what is expected. */
function refused(call: () => unknown, rule: string, value: string, remedy: string): void {
  const error = errorOf(call);
  expect(error.rule).toContain(rule);
  expect(error.value).toBe(value);
  expect(error.remedy).toContain(remedy);
  expect(error.message).toBe(`${error.rule}, got ${error.value}; ${error.remedy}`);
  expect(error.name).toBe("InputError");
}

const nothing = undefined as unknown as number;

describe("every family", () => {
  test.each([...topologies])("$name refuses an n that is no count of nodes", ({ name, create, fewest = 2 }) => {
    // One node is a complete graph, and no other.
    expect(fewest).toBe(name === "complete" ? 1 : 2);
    const rule = `n must be an integer of at least ${fewest}`;
    const remedy = `try n = ${fewest}`;
    refused(() => createTopology({ name, n: fewest - 1 }), rule, String(fewest - 1), remedy);
    refused(() => createTopology({ name, n: 2.5 }), rule, "2.5", "try n = 3");
    refused(() => createTopology({ name, n: 0 }), "n must be an integer", "0", remedy);
    refused(() => createTopology({ name, n: -4 }), "n must be an integer", "-4", remedy);
    refused(() => createTopology({ name, n: Number.NaN }), "n must be an integer", "NaN", remedy);
    refused(() => createTopology({ name, n: nothing }), "n must be an integer", "nothing", remedy);
    refused(() => createTopology({ name, n: "17" as unknown as number }), "n must be an integer", '"17"', remedy);
    const many = String(2 ** 31);
    refused(() => createTopology({ name, n: 2 ** 31 }), "n must be at most 2147483647", many, "try a smaller n");
    expect(() => createTopology({ name, n: Number.POSITIVE_INFINITY })).toThrow(InputError);
    // The family itself says the same when it is called without the registry.
    for (const n of [fewest - 1, 2.5, -4, nothing, 2 ** 31]) expect(() => create({ n })).toThrow(InputError);
  });

  test.each([...topologies])("$name refuses an option that it does not take", ({ name }) => {
    refused(
      () => createTopology({ name, n: 8, colour: "red" }),
      `${name} takes the options n, `,
      '"colour"',
      "leave it out",
    );
  });
});

const cases: [TopologySpec, rule: string, value: string, remedy: string][] = [
  [
    { name: "d-equistatic", n: 17, basis: [3, 0] },
    "a basis index must be an integer from 1 to n - 1 = 16",
    "0",
    "leave it out",
  ],
  [
    { name: "d-equistatic", n: 17, basis: [17] },
    "a basis index must be an integer from 1 to n - 1 = 16",
    "17",
    "leave it out",
  ],
  [{ name: "u-equistatic", n: 17, basis: [-17] }, "or -u for n - u", "-17", "leave it out"],
  [{ name: "od-equidyn", n: 17, basis: [1.5] }, "a basis index must be an integer", "1.5", "leave it out"],
  [{ name: "ou-equidyn", n: 17, basis: [] }, "basis must be a list of at least one index", "[]", "try basis = [1]"],
  [
    { name: "ou-equidyn", n: 17, basis: "all" },
    'basis must be a list of indices or "full"',
    '"all"',
    'try basis = "full"',
  ],
  [{ name: "d-equistatic", n: 17, m: 0 }, "m must be an integer from 1", "0", "try m = 1"],
  [{ name: "od-equidyn", n: 17, m: 0 }, "m must be an integer from 1", "0", "try m = 1"],
  [{ name: "u-equistatic", n: 17, m: 2.4 }, "m must be an integer from 1", "2.4", "try m = 2"],
  [{ name: "d-equistatic", n: 17, basis: [1], m: 3 }, "either in full or by m, rho and p", '{"m":3}', "leave out one"],
  [{ name: "od-equidyn", n: 17, basis: "full", m: 3 }, "either in full or by m, rho and p", '{"m":3}', "leave out one"],
  [{ name: "d-equistatic", n: 17, p: 0.5 }, "p goes with rho", "0.5", "give rho as well"],
  [{ name: "d-equistatic", n: 17, rho: 0.5, p: 0.5, m: 4 }, "m replaces the theorem's M", "0.5", "leave out p or m"],
  [{ name: "d-equistatic", n: 17, rho: 0, p: 0.5 }, "rho must lie in (0, 1)", "0", "try rho = 0.5"],
  [{ name: "d-equistatic", n: 17, rho: 1 }, "rho must lie in (0, 1)", "1", "try rho = 0.5"],
  [{ name: "d-equistatic", n: 17, rho: 0.5, p: 0 }, "p must lie in (0, 1)", "0", "try p = 0.5"],
  [{ name: "d-equistatic", n: 17, m: 3, seed: -1 }, "seed must be an integer of at least 0", "-1", "try seed = 0"],
  [{ name: "od-equidyn", n: 17, eta: 0 }, "eta must lie in (0, 1]", "0", "try eta = 0.5"],
  [{ name: "ou-equidyn", n: 17, eta: 1.5 }, "eta must lie in (0, 1]", "1.5", "try eta = 0.5"],
  [{ name: "ou-equidyn", n: 17, eta: Number.NaN }, "eta must lie in (0, 1]", "NaN", "try eta = 0.5"],
  [
    { name: "ou-equidyn", n: 17, construction: "euklid" },
    "construction must be one of greedy, euclid",
    '"euklid"',
    "did you mean euclid?",
  ],
  [
    { name: "ou-equidyn", n: 17, construction: "fancy-pants" },
    "construction must be one of",
    '"fancy-pants"',
    "choose one of them",
  ],
  [
    { name: "one-peer-exp", n: 17, order: "randm" },
    "order must be one of cyclic, random",
    '"randm"',
    "did you mean random?",
  ],
  [{ name: "hypercube", n: 6 }, "a hypercube needs n to be a power of 2", "6", "try n = 8"],
  [{ name: "grid", n: 12, rows: 5 }, "rows times cols must be n = 12", '{"rows":5}', "try rows = 3, cols = 4"],
  [
    { name: "torus", n: 12, rows: 2, cols: 5 },
    "rows times cols must be n = 12",
    '{"rows":2,"cols":5}',
    "try rows = 3, cols = 4",
  ],
  [{ name: "torus", n: 12, cols: 0 }, "cols must be an integer from 1 to 12", "0", "try cols = 1"],
  [{ name: "erdos-renyi", n: 50, a: -1 }, "a must lie in (-1, 50]", "-1", "try a = 1"],
  [{ name: "erdos-renyi", n: 500, a: -0.9 }, "a must be large enough to connect n = 500 nodes", "-0.9", "try a = 1"],
  [{ name: "geometric", n: 500, a: -0.9 }, "a must be large enough to connect n = 500 nodes", "-0.9", "try a = 1"],
  [{ name: "ou-equidin", n: 17 }, "topology must be one of", '"ou-equidin"', "did you mean ou-equidyn?"],
  [{ name: "Ring", n: 17 }, "topology must be one of", '"Ring"', "did you mean ring?"],
  [
    { name: "smallworld", n: 17 },
    "topology must be one of d-equistatic, u-equistatic",
    '"smallworld"',
    "choose one of them",
  ],
  [
    { name: "d-equistatic", n: 17, bais: [1] },
    "d-equistatic takes the options n, basis, m, rho, p, seed",
    '"bais"',
    "did you mean basis?",
  ],
  [
    { name: "ou-equidyn", n: 17, constuction: "euclid" },
    "ou-equidyn takes the options",
    '"constuction"',
    "did you mean construction?",
  ],
];

test.each(cases)("%j: %s, got %s; %s", (spec, rule, value, remedy) => {
  refused(() => createTopology(spec), rule, value, remedy);
});

test("Alg. 3 gives up after a bounded number of draws and reports the best rate it found", () => {
  const error = errorOf(() => createTopology({ name: "d-equistatic", n: 300, m: 3, rho: 0.3 }));
  expect(error.rule).toMatch(
    /^rho must be reachable: 500 draws of M = 3 indices at n = 300 had a best rate of 0\.\d+$/,
  );
  expect(error.value).toBe("0.3");
  const best = Number(error.rule.match(/0\.\d+$/)?.[0]);
  const suggested = Number(error.remedy.match(/try rho = (0\.\d+)/)?.[1]);
  expect(suggested).toBeGreaterThanOrEqual(best);
  // What it suggests does work, and is no more than the best rounded up.
  const found = createTopology({ name: "d-equistatic", n: 300, m: 3, rho: suggested }).rate().rate;
  expect(found).toBeCloseTo(best, 5);
});

describe("your own matrix", () => {
  const self = [0.5, 0.5];
  test("says which row or column does not sum to 1", () => {
    refused(() => customGraph({ n: 2, self, edges: [[0, 1, 0.5]] }), "but row 0 does not", "0.5", "w[0][*]");
    const drifting: [number, number, number][] = [
      [0, 1, 0.5],
      [0, 2, 0.5],
      [1, 0, 0.5],
    ];
    refused(
      () => customGraph({ n: 3, self: [0.5, 0.5, 0.5], edges: drifting }),
      "but column 0 does not",
      "1.5",
      "node 0 sends",
    );
  });

  test("refuses negative weights, labels outside, and too few self weights", () => {
    refused(
      () => customGraph({ n: 2, self: [1.5, 0.5], edges: [[0, 1, -0.5]] }),
      "w[1][0] must be a nonnegative",
      "-0.5",
      "shares",
    );
    refused(
      () => customGraph({ n: 2, self: [Number.NaN, 1], edges: [] }),
      "w[0][0] must be a nonnegative",
      "NaN",
      "shares",
    );
    refused(
      () => customGraph({ n: 2, self, edges: [[0, 2, 0.5]] }),
      "to of an edge must be an integer from 0 to 1",
      "2",
      "try",
    );
    refused(() => customGraph({ n: 2, self: [1], edges: [] }), "self must hold n = 2 weights", "1", "one per node");
  });

  test("accepts nine digits of a text file, and adds up repeated edges", () => {
    const third = 0.333333333;
    const edges: [number, number, number][] = [];
    for (let i = 0; i < 3; i++) {
      edges.push([(i + 1) % 3, i, third], [(i + 2) % 3, i, third / 2], [(i + 2) % 3, i, third / 2], [i, i, third / 3]);
    }
    const graph = customGraph({ n: 3, self: [third / 1.5, third / 1.5, third / 1.5], edges });
    expect(graph.maxDegree).toBe(2);
    expect(graph.rate().rate).toBeLessThan(1e-8);
  });
});

test("rules of the theorem's M", () => {
  refused(() => basisSize(300, 1.5, 0.1), "rho must lie in (0, 1)", "1.5", "try rho = 0.5");
  refused(() => basisSize(300, 1e-6, 0.1), "rho must not be so small", "0.000001", "try rho = 0.1");
});

test("the nearest word, where one is near", () => {
  const names = topologies.map(({ name }) => name);
  expect(nearest("d-equstatic", names)).toBe("d-equistatic");
  expect(nearest("toruss", names)).toBe("torus");
  expect(nearest("ERDOS-RENYI", names)).toBe("erdos-renyi");
  expect(nearest("PUSHSUM", ["drop", "pushSum"])).toBe("pushSum");
  expect(nearest("one-peer", names)).toBeUndefined();
  expect(nearest("xyzzy", names)).toBeUndefined();
  expect(nearest("topology", ["title", "topologies"])).toBe("topologies");
  expect(errorOf(() => topologies.get("toruss")).remedy).toBe("did you mean torus?");
});
