/**
 * The laws of every topology: weights are nonnegative, rows and columns sum to 1 as declared, the degree and the symmetry are
 * as declared, peers(t, i) agrees with the whole round, rounds are functions of t, and the spec is enough to build it again;
 * also those of its rate (rate.ts). A family must keep them at many n.
 */

import { InputError } from "../input/input.ts";
import { type Edge, forEachEdgeInto, type Round, selfWeight } from "../round/round.ts";
import { buildTopology } from "../topology/registry.ts";
import type { Topology, TopologyFamily, TopologySpec } from "../topology/topology.ts";
import { type Law, must, near, plain, refuses, same } from "./law.ts";
import { rateChecks } from "./rate.ts";

/** A law of one topology; `build` makes another one from its spec, if it has one. */
export type TopologyCheck = (topology: Topology, build?: (spec: TopologySpec) => Topology) => void;

/** Rounds to look at: two periods, or enough draws to meet every kind of round. */
function someRounds(topology: Topology): number[] {
  const { period, block = 12 } = topology;
  return Array.from({ length: 2 * (period ?? Math.max(12, block)) }, (_, t) => t);
}

/** The in-edges of node i in a round, in the order of additions. */
function inEdges(round: Round, i: number): Edge[] {
  const edges: Edge[] = [];
  forEachEdgeInto(round, i, (from, to, weight) => edges.push([from, to, weight]));
  return edges;
}

const edgesOf = (round: Round) => Array.from({ length: round.n }, (_, i) => inEdges(round, i)).flat();

/** Rows and columns sum to 1, except those that the topology declares; and those miss it in some round. */
function stochastic(topology: Topology): void {
  const { n, stochastic: kept } = topology;
  let missed = 0;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    const rows = Float64Array.from({ length: n }, (_, i) => selfWeight(round, i));
    rows.forEach((own, i) => {
      must((own >= 0 || topology.signed === true) && own <= 1, `w_${i}${i} = ${own} in round ${t}`);
    });
    const columns = rows.slice();
    for (const [from, to, weight] of edgesOf(round)) {
      must(weight >= 0 && weight <= 1, `edge ${from} -> ${to} weighs ${weight}`);
      rows[to] += weight;
      columns[from] += weight;
    }
    for (let i = 0; i < n; i++) {
      if (kept !== "columns") near(rows[i], 1, `row ${i} of round ${t}`);
      if (kept !== "rows") near(columns[i], 1, `column ${i} of round ${t}`);
      missed = Math.max(missed, Math.abs(rows[i] - 1), Math.abs(columns[i] - 1));
    }
  }
  must(kept === undefined || missed > 1e-6, `it declares ${kept} only, and is doubly stochastic`);
}

function trueDegree(topology: Topology): void {
  let most = 0;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    for (let i = 0; i < topology.n; i++) {
      const edges = inEdges(round, i);
      const peers = new Set(edges.map(([from]) => from));
      must(!peers.has(i), `round ${t} has an edge from ${i} to itself`);
      must(peers.size === edges.length, `round ${t} has an edge to ${i} twice`);
      const own = edges.every(([, to]) => to === i);
      must(own, `round ${t} has edges of other nodes among those of ${i}`);
      most = Math.max(most, edges.filter(([, , weight]) => weight > 0).length);
    }
  }
  must(most <= topology.maxDegree, `a node has ${most} peers, more than the ${topology.maxDegree} stated`);
  // Random rounds in which a node may have many peers or none need not reach the most in a few draws.
  if (topology.kind === "random" && topology.maxDegree > 1) return;
  same(most, topology.maxDegree, "the stated degree is reached");
}

/** Both flags, as "in every round" and "in some round". 200 draws meet every index of a basis; 20 are enough if all rounds are alike. */
function trueFlags(topology: Topology): void {
  const { n } = topology;
  let symmetric = true;
  let directed = false;
  const rounds = topology.period ?? (topology.moments === undefined ? 200 : 20);
  for (let t = 0; t < rounds && (symmetric || !directed); t++) {
    const edges = edgesOf(topology.round(t));
    const weights = new Map(edges.map(([from, to, weight]) => [to * n + from, weight]));
    for (const [from, to, weight] of edges) {
      const back = weights.get(from * n + to);
      if (back === undefined) directed = true;
      if (back !== weight) symmetric = false;
    }
  }
  const { symmetric: saysSymmetric, directed: saysDirected } = topology;
  same({ symmetric: saysSymmetric, directed: saysDirected }, { symmetric, directed }, "its flags");
}

function peersAgree(topology: Topology): void {
  const { n } = topology;
  for (const t of someRounds(topology).slice(0, 12)) {
    const round = topology.round(t);
    const links = new Map<number, number>();
    for (let i = 0; i < n; i++) {
      const { self, from, to } = topology.peers(t, i);
      must(self === selfWeight(round, i), `own weight of ${i} in round ${t}`);
      const edges = inEdges(round, i);
      same(edges.length, from.length, `how many nodes ${i} receives from in round ${t}`);
      let difference = 0;
      edges.forEach(([node, , weight], k) => {
        must(from[k].node === node && from[k].weight === weight, `link ${node} -> ${i} in round ${t}`);
        must((i - node + n) % n > difference, `order of additions at ${i} in round ${t}`);
        difference = (i - node + n) % n;
      });
      for (const { node, weight } of to) links.set(i * n + node, weight);
    }
    const sent = edgesOf(round);
    must(links.size === sent.length, `round ${t}: ${links.size} sent, ${sent.length} received`);
    for (const [from, to, weight] of sent)
      must(links.get(from * n + to) === weight, `edge ${from} -> ${to} in round ${t}`);
  }
}

/** Neither round nor peers depends on earlier calls or their order. */
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

/** Static: the same round always. Periodic: every period holds the same rounds, perhaps in another order. */
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

/** Rounds and labels out of range are refused, and the caller cannot change a round. */
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

/** Over two vectors per node the round says which nodes hear each other, and the weights of each vector sum to 1. */
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
      for (const [, , weight] of inEdges(round, i)) must(weight === 1, `what ${i} hears weighs ${weight}`);
    }
  }
}

/** Every law of one topology by name. */
export const topologyChecks: Readonly<Record<string, TopologyCheck>> = {
  "nonnegative and stochastic as stated": stochastic,
  "the stated degree is the true one": trueDegree,
  "symmetric and directed are as declared": trueFlags,
  "peers(t, i) agrees with round(t)": peersAgree,
  "two vectors a node are mixed by shares": pairs,
  "round is a pure function of t": pure,
  "the spec builds the same again": rebuilt,
  "static stays, periodic repeats": repeats,
  "rounds and labels are checked, rounds are frozen": guards,
};

export interface TopologyLawOptions {
  /** The sizes to try; 2 to 24 by default. Those that the family refuses are left out. */
  readonly sizes?: readonly number[];
  /** Options to try at size n; by default the defaults, and a second seed if it has one. */
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
export function topologyLaws(family: TopologyFamily, { sizes, options }: TopologyLawOptions = {}): Law[] {
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

/** Checks one law on the topology of a spec; an error names the spec. */
export function checkAt(spec: TopologySpec, build: (spec: TopologySpec) => Topology, check: TopologyCheck): void {
  try {
    check(build(spec), build);
  } catch (error) {
    throw new Error(`${JSON.stringify(spec)}: ${(error as Error).message}`, { cause: error });
  }
}

/** `refuses` predicts which n are refused. */
export function truthfulSizes(family: TopologyFamily, sizes: readonly number[]): void {
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
