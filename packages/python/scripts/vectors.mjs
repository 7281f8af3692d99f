/**
 * What the Python package is held to: for every family of topologies, with every option, a plan and what peers(t, i) says,
 * one JSON object a line. n from 2 to 10^6, seeds to 2^53 - 1, rounds to 2^40.
 *
 *   node packages/python/scripts/vectors.mjs | PYTHONPATH=packages/python/src python3 packages/python/tests/conformance.py
 */

import { pathToFileURL } from "node:url";
import { createTopology, planOf, topologies } from "../../equitopo/dist/index.js";
import { forEachEdgeInto, selfWeight } from "../../equitopo/dist/internal/round.js";
import { optionsOf } from "../../equitopo/dist/internal/topology.js";

const rounds = [0, 1, 2, 6, 1_000_003, 2 ** 40];
const seeds = [1, 2 ** 31 + 7, 2 ** 53 - 1];

const divisors = (n) => Array.from({ length: n }, (_, k) => k + 1).filter((k) => n % k === 0);

/** Values of an option that a family accepts at this n; "family.option" where it means something else. */
const values = {
  lazy: () => [true],
  weights: () => ["best-constant"],
  "designed-static.weights": () => [],
  "designed-one-peer.weights": () => [],
  "designed-static.self": () => [],
  seed: () => seeds,
  basis: (n) => [[1], [-1, 1, n - 1, 1 + (n >> 1)].filter((u) => Math.abs(u) < n)],
  m: () => [3],
  rho: () => [0.9],
  "d-equistatic.p": () => [],
  "u-equistatic.p": () => [],
  "od-equidyn.p": () => [],
  "ou-equidyn.p": () => [],
  eta: () => [1, 0.3, 0.53],
  construction: () => ["euclid"],
  order: () => ["random"],
  s: (n) => [Math.min(3, n - 1)],
  size: (n) => divisors(n).filter((size) => size > 1 && size <= 12),
  rows: (n) => divisors(n).slice(-2),
  cols: (n) => divisors(n).slice(0, 1),
  join: () => ["ring", "small-world"],
  counts: (n) => [Array.from({ length: n }, (_, i) => [1 + (i % 3), i % 2])],
  "d-cliques.size": () => [1, 3],
  d: (n) => [Math.min(n - 1, 4)].filter((d) => (n * d) % 2 === 0),
  "random-permutations.d": () => [2],
  budget: () => [2],
  nonnegative: () => [true],
  graph: () => ["ring", { name: "grid", rows: 1 }],
  a: () => [2],
  undirected: () => [true],
  degree: (n) => [Math.min(3, n - 1)],
  shifts: () => [[1]],
  period: () => [3],
  k: () => [1, 3],
  b: () => [3],
  factors: () => ["fewest"],
  "de-bruijn.p": () => [2],
  "lps.p": () => [],
  "lps.q": () => [],
  groups: (n) => [
    1,
    n,
    [n - 1, 1],
    [[0], Array.from({ length: n - 1 }, (_, k) => n - 1 - k)],
    ...(n < 8 ? [] : [[2, 1, n - 3]]),
  ],
  between: () => [
    "ring",
    "complete",
    "static-exp",
    { name: "one-peer-exp", relabel: true },
    { name: "ou-equidyn", seed: 5 },
  ],
  relabel: () => [true],
};

/** Families whose plans and peers stay small whatever n is. */
const large = [
  ...["od-equidyn", "ou-equidyn", "ring", "static-exp", "one-peer-exp", "random-matching", "random-groups"],
  ...["el-oracle", "k-peer-exp"],
];

/** The specs: each family at some n with its defaults, each option alone, all of them together, and under fresh labels. */
export function* specs() {
  for (const family of topologies) {
    const accepted = (n) => family.refuses?.(n) === undefined;
    // There are many rivals.
    const few = family.group === "rival" ? [2, 3, 8, 12, 25] : [2, 3, 4, 5, 8, 12, 13, 25];
    const small = few.filter(accepted);
    const sizes =
      small.length > 0 ? small : [Array.from({ length: 3000 }, (_, n) => n).find((n) => n > 1 && accepted(n))];
    const many = large.includes(family.name) ? [300, 1_000_000] : [];
    for (const n of [...sizes, ...many.filter(accepted)]) yield* specsAt(family, n);
  }
}

/** Graphs of somebody's own: edges without weights, and weights. */
export const ownGraphs = [
  {
    n: 4,
    edges: [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ],
  },
  {
    n: 5,
    edges: [
      [0, 1],
      [0, 2],
      [0, 3],
      [3, 4],
    ],
  },
  {
    n: 3,
    self: [0.7, 0.7, 0.7],
    edges: [
      [0, 1, 0.3],
      [1, 2, 0.3],
      [2, 0, 0.3],
    ],
  },
  {
    n: 2,
    self: [0.9, 0.9],
    edges: [
      [0, 1, 0.1],
      [1, 0, 0.1],
    ],
  },
].map((graph) => ({ name: "file", graph }));

function* specsAt(family, n) {
  const { name } = family;
  const base = { name, n };
  yield base;
  const all = {};
  for (const option of Object.keys(optionsOf(family))) {
    const given = values[`${name}.${option}`] ?? values[option];
    if (given === undefined) throw new Error(`vectors.mjs has no values for the option ${option} of ${name}`);
    for (const value of given(n)) {
      yield { ...base, [option]: value };
      if (!["basis", "m", "rho", "shifts", "period", "rows", "cols", "groups", "relabel"].includes(option)) {
        all[option] = value;
      }
    }
  }
  yield { ...base, ...all };
  if (!family.random) yield { ...base, ...all, relabel: true, seed: seeds[2] };
}

/** The call that makes the graph in Python, where it needs no plan for it. */
function expression({ name, n, ...options }) {
  if (name === "file") return { name: "from_matrix", args: [matrixOf(options.graph)], options: {} };
  if (name === "hierarchy" && Array.isArray(options.groups) && ["ring", "complete"].includes(options.between)) {
    return { name, args: [options.groups], options: {}, between: options.between };
  }
  const known = ["od-equidyn", "ou-equidyn", "one-peer-exp", "static-exp", "ring", "complete"].includes(name);
  if (!known || ["m", "rho", "p", "weights", "relabel"].some((option) => option in options)) return null;
  return { name: name.replaceAll("-", "_"), args: [n], options };
}

function matrixOf({ n, edges, self }) {
  const matrix = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? (self?.[i] ?? 0) : 0)),
  );
  for (const [from, to, weight = 1] of edges) {
    matrix[to][from] = weight;
    if (self === undefined) matrix[from][to] = 1;
  }
  return matrix;
}

const flat = (links) => links.map(({ node, weight }) => [node, weight]);

/** What is held of one spec; undefined where its options do not go together. */
export function vectorOf(spec) {
  let topology;
  try {
    topology = createTopology(spec);
  } catch (error) {
    if (error.name === "InputError") return undefined;
    throw error;
  }
  const { n } = topology;
  const places = [...new Set([0, n - 1, Math.floor(0.4 * n)])];
  const asked = n > 4000 ? places.slice(0, 2) : places;
  const vector = { plan: planOf(topology, { rate: false }), python: expression(spec), peers: [], rounds: [] };
  for (const t of rounds) {
    for (const i of asked) {
      const { self, from, to } = topology.peers(t, i);
      vector.peers.push([t, i, self, flat(from), flat(to)]);
    }
    if (n <= 30) vector.rounds.push({ t, ...levelsOf(topology, t) });
  }
  return vector;
}

/** What a round is beside its peers: the mean, two vectors a node, or two levels. */
function levelsOf(topology, t) {
  const round = topology.round(t);
  const pair = topology.pair?.(t) ?? null;
  const keep = round.kind === "mean" ? round.keep : null;
  if (round.kind !== "grouped") return { pair, keep, groups: null };
  const { groups, weighted } = round;
  const rows = Array.from({ length: groups.count }, (_, g) => {
    const links = [];
    forEachEdgeInto(weighted, g, (from, _to, weight) => links.push([from, weight]));
    return [selfWeight(weighted, g), links];
  });
  const between = weighted.kind === "mean" ? weighted.keep : null;
  return { pair, keep, groups: { members: [...groups.members], rows, keep: between } };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const spec of [...specs(), ...ownGraphs]) {
    const vector = vectorOf(spec);
    if (vector !== undefined) process.stdout.write(`${JSON.stringify(vector)}\n`);
  }
}
