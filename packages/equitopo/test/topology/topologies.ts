/**
 * Every topology that the laws run on: each member of the registry with the options it says it takes. A new family is
 * tested by standing in the registry; a new option by one line in `optionValues`.
 */

import fc from "fast-check";
import { checkAt, type TopologyCheck } from "../../src/testing/topology.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology, TopologyFamily, TopologySpec } from "../../src/topology/topology.ts";

function divisors(n: number): number[] {
  return Array.from({ length: n }, (_, k) => k + 1).filter((k) => n % k === 0);
}

/** Groups of n nodes that end at these places, as sizes; or, dealt out, the nodes i with the same i mod their number. */
const cutAt =
  (n: number) =>
  ([places, dealt]: [number[], boolean]) => {
    const ends = [...new Set([...places, n])].sort((a, b) => a - b);
    if (!dealt) return ends.map((end, g) => end - (ends[g - 1] ?? 0));
    const all = Array.from({ length: n }, (_, i) => i);
    return ends.map((_, g) => all.filter((i) => i % ends.length === g));
  };

/** Values of an option that any family taking it must accept at this n; "family.option" where it means something else. */
const optionValues: Record<string, (n: number) => fc.Arbitrary<unknown>> = {
  lazy: () => fc.boolean(),
  weights: () => fc.constantFrom("metropolis", "best-constant"),
  // These weigh shifts that are written out: see designed.test.ts.
  "designed-static.weights": () => fc.constant(undefined),
  "designed-one-peer.weights": () => fc.constant(undefined),
  seed: () => fc.nat(2 ** 40),
  eta: () => fc.oneof(fc.constantFrom(1, 0.5, 0.53), fc.double({ min: 0.05, max: 1, noNaN: true })),
  construction: () => fc.constantFrom("greedy", "euclid"),
  order: () => fc.constantFrom("cyclic", "random"),
  s: (n) => fc.integer({ min: 1, max: Math.min(n - 1, 9) }),
  size: (n) => fc.constantFrom(...divisors(n).filter((size) => size > 1 && size <= 12)),
  rows: (n) => fc.constantFrom(...divisors(n)),
  join: () => fc.constantFrom("pairs", "ring", "small-world"),
  "d-cliques.size": () => fc.integer({ min: 1, max: 12 }),
  "random-permutations.d": () => fc.constantFrom(2, 3, 9),
  "random-regular.d": (n) =>
    fc.constantFrom(...[3, 4, 5, 6, n - 2, n - 1].filter((d) => d >= Math.min(3, n - 1) && d < n && (n * d) % 2 === 0)),
  budget: () => fc.constantFrom(0.5, 1, 2, 9),
  nonnegative: () => fc.boolean(),
  graph: () => fc.constantFrom("ring", "star", "torus", { name: "grid", rows: 1 }),
  a: () => fc.double({ min: 0.5, max: 2, noNaN: true }),
  undirected: () => fc.boolean(),
  period: () => fc.integer({ min: 1, max: 6 }),
  k: () => fc.constantFrom(1, 2, 3, 4, 9),
  b: () => fc.constantFrom(2, 3, 4, 6, 10),
  factors: () => fc.constantFrom("published", "fewest"),
  // Many nodes stand in small groups only: the laws look at every edge, and groups are dense.
  groups: (n) =>
    n > 24
      ? fc.integer({ min: 1, max: 4 })
      : fc
          .tuple(fc.array(fc.integer({ min: 1, max: n - 1 }), { minLength: 1, maxLength: 5 }), fc.boolean())
          .map(cutAt(n)),
  between: () =>
    fc.constantFrom("ring", "star", "complete", "od-equidyn", "ou-equidyn", "static-exp", "one-peer-exp", {
      name: "u-equistatic",
      m: 2,
    }),
  "de-bruijn.p": (n) => fc.integer({ min: 2, max: Math.min(n, 9) }),
};

/** The ways to say which basis: written out (with repeats and negative indices), by m, by rho and p, or not at all. */
function basisOptions(n: number, full: boolean): fc.Arbitrary<object> {
  const index = fc.integer({ min: 1, max: n - 1 }).chain((u) => fc.constantFrom(u, -u));
  return fc.oneof(
    fc.record({ basis: fc.array(index, { minLength: 1, maxLength: 7 }) }),
    fc.record({ m: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ rho: fc.double({ min: 0.45, max: 0.95, noNaN: true }), p: fc.constantFrom(0.1, 0.5) }),
    fc.constant(full ? { basis: "full" } : {}),
    fc.constant({}),
  );
}

/** The family at this n, with options drawn from what it takes. */
export function drawnSpec(family: TopologyFamily, n: number): fc.Arbitrary<TopologySpec> {
  const free: Record<string, fc.Arbitrary<unknown>> = {};
  for (const option of Object.keys(family.options)) {
    const values = optionValues[`${family.name}.${option}`] ?? optionValues[option];
    if (values !== undefined) free[option] = values(n);
  }
  const basis = "basis" in family.options ? basisOptions(n, "eta" in family.options) : fc.constant({});
  return fc
    .tuple(fc.record(free, { requiredKeys: [] }), basis)
    .map(([options, indices]) => ({ name: family.name, n, ...options, ...indices }));
}

/** The n in [from, to] that a family accepts. */
export function accepted(family: TopologyFamily, from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, k) => from + k).filter((n) => family.refuses?.(n) === undefined);
}

/** The n up to 300 that a family accepts, or the first two after, where it begins later. */
export function someAccepted(family: TopologyFamily): number[] {
  const small = accepted(family, 2, 300);
  return small.length > 0 ? small : accepted(family, 301, 3000).slice(0, 2);
}

const built = new Map<string, Topology>();

/** Holds the topology of a spec to a law; it is built once for all laws, and anew only where a law builds it again. */
export function check(spec: TopologySpec, law: TopologyCheck): void {
  const key = JSON.stringify(spec);
  const build = (asked: TopologySpec) => {
    if (asked !== spec) return createTopology(asked);
    const known = built.get(key) ?? createTopology(spec);
    built.set(key, known);
    return known;
  };
  checkAt(spec, build, law);
}

/** Fixed, so that a failure today is a failure tomorrow. */
export const drawn = { seed: 2022 } as const;

/** So many draws for the paper's families and its baselines, a quarter for the rivals: there are many of them. */
export function drawsOf({ group }: TopologyFamily, most: number): number {
  return group === "rival" ? Math.ceil(most / 4) : most;
}
