/**
 * The laws of every topology: weights nonnegative, rows and columns summing to 1 as far as it says, the stated degree
 * true, symmetry as stated, peers(t, i) equal to the whole round, rounds a function of t, the spec enough to build it
 * again; and those of its rate (rate.ts). A family is held to them at many n.
 */

import { InputError } from "../input/input.ts";
import { forEachEdgeInto, selfWeight } from "../round/round.ts";
import { buildTopology } from "../topology/registry.ts";
import type { Family, Topology, TopologySpec } from "../topology/topology.ts";
import { type Law, must, near, plain, refuses, same } from "./law.ts";
import { rateChecks } from "./rate.ts";

/** A law of one topology; `build` makes another one from its spec, where it can be made from one. */
export type TopologyCheck = (topology: Topology, build?: (spec: TopologySpec) => Topology) => void;

/** Rounds to look at: two periods, or enough draws to meet every kind of round. */
function someRounds(topology: Topology): number[] {
  const { period, block = 12 } = topology;
  return Array.from({ length: 2 * (period ?? Math.max(12, block)) }, (_, t) => t);
}

/** Rows and columns sum to 1, but for those that the topology says do not; and those truly miss it in some round. */
function stochastic(topology: Topology): void {
  const { n, stochastic: kept } = topology;
  let missed = 0;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    const rows = new Float64Array(n);
    const columns = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const own = selfWeight(round, i);
      must((own >= 0 || topology.signed === true) && own <= 1, `w_${i}${i} = ${own} in round ${t}`);
      rows[i] += own;
      columns[i] += own;
      forEachEdgeInto(round, i, (from, to, weight) => {
        must(weight >= 0 && weight <= 1 && to === i, `edge ${from} -> ${to} weighs ${weight}`);
        rows[i] += weight;
        columns[from] += weight;
      });
    }
    for (let i = 0; i < n; i++) {
      if (kept !== "columns") near(rows[i], 1, `row ${i} of round ${t}`);
      if (kept !== "rows") near(columns[i], 1, `column ${i} of round ${t}`);
      missed = Math.max(missed, Math.abs(rows[i] - 1), Math.abs(columns[i] - 1));
    }
  }
  must(kept === undefined || missed > 1e-6, `it says ${kept} only, and is doubly stochastic`);
}

function trueDegree(topology: Topology): void {
  let most = 0;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    for (let i = 0; i < topology.n; i++) {
      const peers = new Set<number>();
      forEachEdgeInto(round, i, (from, _to, weight) => {
        must(from !== i, `round ${t} has an edge from ${i} to itself`);
        must(!peers.has(from), `round ${t} has ${from} -> ${i} twice`);
        if (weight > 0) peers.add(from);
      });
      most = Math.max(most, peers.size);
    }
  }
  must(most <= topology.maxDegree, `a node has ${most} peers, more than the ${topology.maxDegree} stated`);
  // Rounds in which a node may have many peers or none need not reach the most in a few draws.
  if (topology.kind === "random" && topology.maxDegree > 1) return;
  same(most, topology.maxDegree, "the stated degree is reached");
}

/** Both flags, as "in every round" and "in some round"; 200 draws meet every index of a basis, 20 are enough where all are alike. */
function trueFlags(topology: Topology): void {
  const { n } = topology;
  let symmetric = true;
  let directed = false;
  const rounds = topology.period ?? (topology.moments === undefined ? 200 : 20);
  for (let t = 0; t < rounds && (symmetric || !directed); t++) {
    const round = topology.round(t);
    const weights = new Map<number, number>();
    for (let i = 0; i < n; i++) forEachEdgeInto(round, i, (from, to, weight) => weights.set(to * n + from, weight));
    for (const [edge, weight] of weights) {
      const back = weights.get((edge % n) * n + Math.floor(edge / n));
      if (back === undefined) directed = true;
      if (back !== weight) symmetric = false;
    }
  }
  same(
    { symmetric: topology.symmetric, directed: topology.directed },
    { symmetric, directed },
    "what it says of itself",
  );
}

function peersAgree(topology: Topology): void {
  const { n } = topology;
  for (const t of someRounds(topology).slice(0, 12)) {
    const round = topology.round(t);
    const sent = new Map<number, number>();
    const told = new Map<number, number>();
    for (let i = 0; i < n; i++) {
      const { self, from, to } = topology.peers(t, i);
      must(self === selfWeight(round, i), `own weight of ${i} in round ${t}`);
      let place = 0;
      let difference = 0;
      forEachEdgeInto(round, i, (node, _to, weight) => {
        const link = from[place++];
        must(link?.node === node && link.weight === weight, `link ${node} -> ${i} in round ${t}`);
        must((i - node + n) % n > difference, `order of additions at ${i} in round ${t}`);
        difference = (i - node + n) % n;
        sent.set(node * n + i, weight);
      });
      must(place === from.length, `${i} receives from more nodes than round ${t} says`);
      for (const { node, weight } of to) told.set(i * n + node, weight);
    }
    must(told.size === sent.size, `round ${t}: ${told.size} sent, ${sent.size} received`);
    for (const [edge, weight] of told) must(sent.get(edge) === weight, `edge ${edge} (n from + to) in round ${t}`);
  }
}

/** round and peers give the same whatever was asked before, and in whatever order. */
function pure(topology: Topology): void {
  const times = someRounds(topology);
  const inOrder = times.map((t) => plain(topology.round(t)));
  for (const t of [...times].reverse()) {
    topology.peers((3 * t + 1) % 50, t % topology.n);
    must(plain(topology.round(t)) === inOrder[t], `round ${t} changed`);
  }
}

function rebuilt(topology: Topology, build?: (spec: TopologySpec) => Topology): void {
  if (build === undefined) return;
  const again = build(JSON.parse(JSON.stringify(topology.spec)) as TopologySpec);
  for (const t of [...someRounds(topology), 12345]) {
    must(plain(again.round(t)) === plain(topology.round(t)), `round ${t} is another`);
  }
  const facts = ({ name, n, kind, directed, symmetric, maxDegree, period, spec }: Topology) => {
    return { name, n, kind, directed, symmetric, maxDegree, period: period ?? "none", spec };
  };
  same(facts(again), facts(topology), "what was built again");
}

/** Static: one round for ever. Periodic: every period holds the same rounds, perhaps in another order. */
function repeats(topology: Topology): void {
  const { kind, period } = topology;
  same(kind === "random", period === undefined, "random means no period");
  if (period === undefined) return;
  if (kind === "static") same(period, 1, "the period of a static topology");
  const first = Array.from({ length: period }, (_, t) => plain(topology.round(t)));
  for (const start of [period, 2 * period, 1000 * period]) {
    const later = Array.from({ length: period }, (_, t) => plain(topology.round(start + t)));
    const reordered = topology.spec["order"] === "random";
    const alike = reordered ? later.sort().join() === [...first].sort().join() : later.join() === first.join();
    must(alike, `the period from round ${start} is not the first`);
  }
}

/** A round that is none and a node that nobody is are refused, and whoever is handed a round cannot change what it is. */
function guards(topology: Topology): void {
  const { n } = topology;
  for (const t of [-1, 0.5, Number.NaN, 2 ** 53]) {
    refuses(() => topology.round(t), /^t must be an integer/, `round(${t})`);
    refuses(() => topology.peers(t, 0), /^t must be an integer/, `peers(${t}, 0)`);
  }
  for (const i of [-1, 0.5, n, Number.NaN]) {
    refuses(() => topology.peers(0, i), /^i must be an integer/, `peers(0, ${i})`);
  }
  must(Object.isFrozen(topology.round(0)), "round 0 is not frozen");
}

/** Over two vectors a node the round says who hears whom, and each vector's weights sum to 1. */
function pairs(topology: Topology): void {
  const { n, pair } = topology;
  if (pair === undefined) return;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    const { x, z } = pair(t);
    for (const [name, { own, heard }] of Object.entries({ x, z })) {
      must(own >= 0 && heard >= 0, `${name} has a negative weight in round ${t}`);
      near(own + heard, 1, `the weights of ${name} in round ${t}`);
    }
    for (let i = 0; i < n; i++) {
      must(selfWeight(round, i) === 0, `${i} hears itself in round ${t}`);
      forEachEdgeInto(round, i, (_from, _to, weight) => must(weight === 1, `what ${i} hears weighs ${weight}`));
    }
  }
}

/** Every law of one topology by name. */
export const topologyChecks: Readonly<Record<string, TopologyCheck>> = {
  "nonnegative and stochastic as stated": stochastic,
  "the stated degree is the true one": trueDegree,
  "symmetric and directed say the truth": trueFlags,
  "peers(t, i) agrees with round(t)": peersAgree,
  "two vectors a node are mixed by shares": pairs,
  "round is a pure function of t": pure,
  "the spec builds the same again": rebuilt,
  "static stays, periodic repeats": repeats,
  "rounds and labels are checked, rounds are frozen": guards,
};

export interface TopologyLawOptions {
  /** The sizes to look at; 2 to 24 by default. Those that the family refuses are left out. */
  readonly sizes?: readonly number[];
  /** Options to hold to the laws at size n; the defaults, and another seed where it has one, by default. */
  readonly options?: (n: number) => Iterable<Readonly<Record<string, unknown>>>;
}

/**
 * The laws that a family of topologies must keep, registered or not. O(sum of n^3) for the dense norms of small sizes.
 *
 * @example
 * ```ts
 * import { topologies } from "equitopo";
 * import { topologyLaws } from "equitopo/testing";
 * const laws = topologyLaws(topologies.get("ring"), { sizes: [2, 3, 8] });
 * for (const { run } of laws) await run();
 * laws.map(({ name }) => name)[1] // => "nonnegative and stochastic as stated"
 * ```
 */
export function topologyLaws(family: Family, { sizes, options }: TopologyLawOptions = {}): Law[] {
  const all = sizes ?? Array.from({ length: 23 }, (_, k) => k + 2);
  const build = (spec: TopologySpec) => buildTopology(family, spec);
  const given = options ?? (() => ("seed" in family.options ? [{}, { seed: 1 }] : [{}]));
  const over = (check: TopologyCheck) => () => {
    for (const n of all.filter((size) => family.refuses?.(size) === undefined)) {
      for (const one of given(n)) checkAt({ ...one, name: family.name, n }, build, check);
    }
  };
  return [
    { name: "accepts or refuses an n, and says which beforehand", run: () => truthfulSizes(family, all) },
    ...Object.entries({ ...topologyChecks, ...rateChecks }).map(([name, check]) => ({ name, run: over(check) })),
  ];
}

/** Holds the topology of a spec to one law; an error names the spec. */
export function checkAt(spec: TopologySpec, build: (spec: TopologySpec) => Topology, check: TopologyCheck): void {
  try {
    check(build(spec), build);
  } catch (error) {
    throw new Error(`${JSON.stringify(spec)}: ${(error as Error).message}`, { cause: error });
  }
}

/** What `refuses` says is what happens. */
export function truthfulSizes(family: Family, sizes: readonly number[]): void {
  for (const n of sizes) {
    let refused = false;
    try {
      const topology = buildTopology(family, { name: family.name, n });
      same(topology.n, n, "the n of the topology");
      same(topology.kind === "random", family.random === true, "whether the family says that its rounds are drawn");
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused = true;
    }
    same(refused, family.refuses?.(n) !== undefined, `whether n = ${n} is refused`);
  }
}
