/**
 * A topology in two levels, for machines with several peers each: the nodes of a group take their exact mean, and one
 * vector for each link of a topology between the groups goes over the network (round/grouped.ts has the weights, and why
 * they keep the mean of all nodes whatever the groups' sizes s_g are):
 *
 *   W(t) = E A(t) E^+,   A(t) = I - c S^-1 (I - V(t)),   E_ig = 1 for i in g,   E^+ = S^-1 E',   c = the least s_g.
 *
 * Any n, any groups; between them any topology whose W(t) are doubly stochastic.
 *
 * Its rate, exactly: the columns of E S^-1/2 are orthonormal, so W has the singular values of B = S^1/2 A S^-1/2, and zeros.
 * - Equal groups: B = A = V. Rate, bound and the norm over m rounds are those of V, in closed form where V has one.
 * - Others, static or periodic: certified iteration on W itself, O(n + edges of V) a step.
 * - Others, random: the mean square of B, rate/between-groups.ts.
 *
 * The degree is that of W: all whose rows enter a node's new one. What is sent is far less (round/messages.ts).
 */

import { defined, InputError } from "../input/input.ts";
import { seed as seedOption } from "../input/option.ts";
import { betweenGroupsRate, MOST_GROUPS } from "../rate/between-groups.ts";
import { sparseRate } from "../rate/lanczos.ts";
import { normOver } from "../rate/product.ts";
import type { Rate } from "../rate/rate.ts";
import { groupedRound, groupShare, ownWeight } from "../round/grouped.ts";
import { type Groups, membersOf, memberWeight, sizeOf, sizesOf } from "../round/groups.ts";
import type { FlatRound } from "../round/round.ts";
import { type Grouping, groupingOf, groupNodes, groupsOption } from "./grouping.ts";
import { innerOption, innerSpec } from "./inner-spec.ts";
import type { Neighbour, Peers, Topology, TopologySpec } from "./topology.ts";
import { byLabelDifference, checkOptions, defineTopology, guarded } from "./topology.ts";

export interface HierarchyOptions {
  readonly n: number;
  readonly groups: Grouping;
  /** The topology between the groups, its n being their number; nothing where there is only one group. */
  readonly between?: Topology;
}

/** A single group has nobody to talk to. */
const alone = {
  ...{ name: "alone", n: 1, kind: "static", directed: false, symmetric: true, maxDegree: 0, period: 1 },
  ...{ exactAfter: 1, spec: { name: "alone", n: 1 } },
  round: (): FlatRound => ({
    ...{ kind: "circulant", n: 1, self: 1, shifts: new Int32Array(0), weights: new Float64Array(0) },
  }),
  peers: (): Peers => ({ self: 1, from: [], to: [] }),
  rate: (): Rate => ({ rate: 0, bound: null, method: "closed form", eigenvalues: { largest: 0, smallest: 0 } }),
} satisfies Topology;

/**
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { hierarchy } from "equitopo/topology";
 * const equal = hierarchy({ n: 12, groups: 3, between: ring({ n: 4 }) });
 * equal.rate().rate === ring({ n: 4 }).rate().rate // => true
 * const uneven = hierarchy({ n: 12, groups: [5, 4, 2, 1], between: ring({ n: 4 }) });
 * uneven.rate().rate.toFixed(4) // => "0.8169"
 * ```
 */
export function hierarchy({ n, groups: grouping, between: given }: HierarchyOptions): Topology {
  const groups = groupNodes(n, grouping);
  const { least, equal } = sizesOf(groups);
  const between = checkBetween(groups, equal, given);
  const { kind, directed, symmetric, period, block, exactAfter, norm } = between;
  // A static or periodic round is made once, so that the meter counts its messages once.
  const made = new Map<FlatRound, ReturnType<typeof groupedRound>>();
  const topology: Topology = guarded<Topology>({
    ...{ name: "hierarchy", n, kind, directed, symmetric, period },
    maxDegree: degreeOf(n, groups, least, between),
    ...defined({ block, ...(equal ? { exactAfter, norm } : {}) }),
    hierarchy: { groups, least, between },
    spec: specOf(n, groups, between),
    round(t) {
      const flat = between.round(t) as FlatRound;
      const round = made.get(flat) ?? groupedRound(groups, least, flat);
      if (kind === "static") made.set(flat, round);
      return round;
    },
    peers: (t, i) => nodePeers(n, groups, least, between.peers(t, groups.of[i]), i),
    rate: () => (equal ? equalRate(n, between) : unequalRate(topology, groups, least, between)),
  });
  return topology;
}

function checkBetween(groups: Groups, equal: boolean, between: Topology | undefined): Topology {
  if (groups.count === 1) return alone;
  const remedy = "try between = od-equidyn";
  if (between === undefined) throw new InputError("groups need a topology between them", "none", remedy);
  const { name, n, kind, stochastic, pair, signed, moments, draws, turned } = between;
  if (n !== groups.count) {
    throw new InputError(`the topology between ${groups.count} groups has as many nodes`, n, `try n = ${groups.count}`);
  }
  if (stochastic !== undefined || pair !== undefined || signed !== undefined) {
    const rule = "between groups W(t) must be doubly stochastic, nonnegative and mix one vector a node";
    throw new InputError(rule, name, remedy);
  }
  if (between.hierarchy !== undefined) throw new InputError("a hierarchy has two levels", name, remedy);
  const drawn = moments ?? draws ?? turned;
  if (!equal && kind === "random" && (drawn === undefined || n > MOST_GROUPS)) {
    const rule = `the exact rate of unequal groups is known for static and periodic topologies between them, and up to ${MOST_GROUPS} groups for od-equidyn, ou-equidyn and rounds with fresh labels`;
    throw new InputError(rule, name, "make the groups equal, or try between = od-equidyn");
  }
  return between;
}

/** Node i's view of W, from its group's view of V. */
function nodePeers(n: number, groups: Groups, least: number, view: Peers, i: number): Peers {
  const g = groups.of[i];
  const size = sizeOf(groups, g);
  const self = ownWeight(groupShare(least, size), view.self) / size;
  const all = (links: readonly Neighbour[]): Neighbour[] => {
    const found: Neighbour[] = [];
    for (const node of membersOf(groups, g)) if (node !== i) found.push({ node, weight: self });
    for (const { node: h, weight } of links) {
      const share = memberWeight(groups, least, g, h, weight);
      for (const node of membersOf(groups, h)) found.push({ node, weight: share });
    }
    return found.filter(({ weight }) => weight !== 0).sort(byLabelDifference(n, i));
  };
  const from = all(view.from);
  return { self, from, to: view.to === view.from ? from : all(view.to) };
}

/** The true one over a period; for drawn rounds as many as the largest groups that may meet. */
function degreeOf(n: number, groups: Groups, least: number, between: Topology): number {
  if (between.period === undefined) {
    const sizes = Array.from({ length: groups.count }, (_, g) => sizeOf(groups, g)).sort((a, b) => b - a);
    return sizes.slice(0, between.maxDegree + 1).reduce((sum, size) => sum + size, 0) - 1;
  }
  let most = 0;
  for (let t = 0; t < between.period; t++) {
    for (let g = 0; g < groups.count; g++) {
      const { from } = nodePeers(n, groups, least, between.peers(t, g), membersOf(groups, g)[0]);
      most = Math.max(most, from.length);
    }
  }
  return most;
}

/** Of equal groups: that of V; W has zeros beside its eigenvalues. */
function equalRate(n: number, between: Topology): Rate {
  const rate = between.rate();
  if (rate.eigenvalues === undefined || n === between.n) return rate;
  const { largest, smallest } = rate.eigenvalues;
  return { ...rate, eigenvalues: { largest: Math.max(0, largest), smallest: Math.min(0, smallest) } };
}

function unequalRate(topology: Topology, groups: Groups, least: number, between: Topology): Rate {
  const { period, kind, symmetric } = topology;
  if (period === undefined) return betweenGroupsRate(groups, least, between);
  const rounds = Array.from({ length: period }, (_, t) => sparseRate(topology.round(t), symmetric));
  const worst = rounds.reduce((most, rate) => (rate.rate > most.rate ? rate : most));
  if (kind === "static") return worst;
  const { norm } = normOver(topology, period);
  const { eigenvalues: _, ...rate } = worst;
  return { ...rate, periodNorm: norm, periodRate: norm ** (1 / period) };
}

function specOf(n: number, groups: Groups, between: Topology): TopologySpec {
  const spec = { name: "hierarchy", n, groups: groupingOf(groups) };
  if (groups.count === 1) return spec;
  const { n: _, ...rest } = between.spec;
  return { ...spec, between: rest };
}

const [range, help] = ["the name of a topology, or its spec without n", "topology between the groups of hierarchy"];

/** Nodes of a group by default; there are always two groups. */
const SIZE = 4;

/** The member of the registry; `build` makes the topology between the groups, with the seed where it takes one. */
export function hierarchyFamily(build: (spec: TopologySpec, seed: number) => Topology) {
  const family = defineTopology({
    name: "hierarchy",
    summary: "two levels: exact means inside groups (machines), a topology between them",
    source: "this project",
    group: "rival",
    random: true,
    options: { groups: groupsOption, between: innerOption("od-equidyn", range, help), seed: seedOption },
    work: () => ({ edges: 0, lists: "made" }),
    create(options): Topology {
      const { n, groups = Math.min(SIZE, Math.floor(n / 2)), between, seed } = checkOptions(family, options);
      const { count } = groupNodes(n, groups);
      if (count === 1) return hierarchy({ n, groups });
      return hierarchy({ n, groups, between: build(innerSpec(between, count), seed) });
    },
  });
  return family;
}
