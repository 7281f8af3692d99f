/** The topology that a plan draws: rounds and peers from its rule alone, as programs in other languages redraw them. */

import { InputError, inside, integer, oneOf, real } from "../../input/input.ts";
import { RandomStream, streams } from "../../random/stream.ts";
import { circulantRate } from "../../rate/circulant.ts";
import { sparseRate } from "../../rate/lanczos.ts";
import { normOver } from "../../rate/product.ts";
import type { Edge } from "../../round/round.ts";
import { ceca1p } from "../ceca-1p.ts";
import { ceca2p } from "../ceca-2p.ts";
import { circulantTopology } from "../circulant.ts";
import { meanTopology } from "../complete.ts";
import { customGraph } from "../custom.ts";
import type { Pair } from "../edge-colouring.ts";
import { elLocal } from "../el-local.ts";
import { hierarchy } from "../hierarchy.ts";
import { drawnMatchings } from "../matcha.ts";
import { meanSquares } from "../matcha-weights.ts";
import { drawnShifts } from "../od-equidyn.ts";
import { drawnPairs } from "../ou-equidyn.ts";
import { pairRounds } from "../pairs.ts";
import { labelledEvery } from "../relabel.ts";
import { type Topology, type TopologySpec, topologyOf } from "../topology.ts";
import { canonicalHash } from "./canonical.ts";
import { AGAIN, checkedPlan, type Plan } from "./plan.ts";
import type { PairRule, PairsRule, RoundsRule, Rule, ShiftRule, SubsetRule, TableRule, WrittenRound } from "./rule.ts";
import { ruleOf } from "./rule-of.ts";

/**
 * The topology of a plan: of its text, or of the value in it. Rounds, peers and rates follow from the rule.
 *
 * @example
 * ```ts
 * import { planOf, readPlan, ring } from "equitopo";
 * const graph = readPlan(JSON.stringify(planOf(ring({ n: 5 }))));
 * graph.peers(0, 2).from.map(({ node }) => node).join() // => "1,3"
 * ```
 */
export function readPlan(json: string | Plan): Topology {
  const plan = checkedPlan(typeof json === "string" ? parsed(json) : json);
  return drawnTopology(plan, { name: "file", n: plan.n, graph: plan });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`a plan must be JSON (${(error as Error).message})`, text.slice(0, 40), AGAIN);
  }
}

/** The topology of a plan that was checked, under that spec. */
export function drawnTopology({ rule, rate }: Plan, spec: TopologySpec): Topology {
  return inside("the plan", () => {
    try {
      return { ...drawn(rule, spec, rate), spec, rule: () => rule };
    } catch (error) {
      // A member that is missing or of another kind. Errors about input are no TypeErrors.
      if (!(error instanceof TypeError)) throw error;
      throw new InputError(
        `the members of a rule must be those that plans have (equitopo guide formats): ${error.message}`,
        rule,
        AGAIN,
      );
    }
  });
}

function drawn(rule: Rule, spec: TopologySpec, rate: number | null): Topology {
  const { n } = spec;
  switch (rule.name) {
    case "table":
      return table(rule, spec);
    case "shift":
      checkDraws(rule, n);
      return drawnShifts(spec, rule, () => null);
    case "pairs":
      checkDraws(rule, n);
      oneOf("construction", rule.construction, ["greedy", "euclid"]);
      return drawnPairs(spec, rule, () => null);
    case "labels": {
      integer("stream", rule.stream, 0);
      const inner = drawn(rule.of, spec, null);
      if (inner.period === undefined || rule.block % inner.period !== 0) {
        const rule = "labels are drawn anew after whole periods of a table";
        throw new InputError(rule, inner.period, AGAIN);
      }
      return labelledEvery(integer("block", rule.block, 1), inner, rule.seed, rule.stream, spec);
    }
    case "push":
      return elLocal({ n, s: integer("s", rule.s, 1, n - 1), seed: integer("seed", rule.seed, 0) });
    case "subset":
      return subset(rule, spec);
    case "grouped": {
      const { groups, between } = rule;
      if (between === undefined) return hierarchy({ n, groups });
      return hierarchy({ n, groups, between: drawn(between, { name: "between", n: groups.length }, null) });
    }
    case "pair":
      return twoVectors(rule, spec);
    case "rounds":
      return finite(rule, spec, rate);
  }
  const known = "table, shift, pairs, labels, push, subset, grouped, pair or rounds";
  throw new InputError(`the rule of a plan must be ${known}`, (rule as Rule).name, "update equitopo");
}

const share = { min: 0, max: 1 };

/** What both EquiDyns draw by. */
function checkDraws({ basis, weight, seed }: ShiftRule | PairsRule, n: number): void {
  real("weight", weight, share, 0.5);
  integer("seed", seed, 0);
  if (basis === "full") return;
  if (basis.length === 0) throw new InputError("a basis must have an index", basis, AGAIN);
  for (const u of basis) integer("an index of the basis", u, 1, n - 1);
}

/** Each round as a graph of its own. */
function table({ rounds, seed }: TableRule, spec: TopologySpec): Topology {
  const graphs = rounds.map((round, t) => inside(`round ${t}`, () => graphOf(round, spec)));
  const period = integer("the rounds of a table", graphs.length, 1);
  if (period === 1) return graphs[0];
  const random = seed === undefined ? undefined : new RandomStream(integer("seed", seed, 0), streams.order);
  const at = (t: number) => {
    const place = t % period;
    return graphs[random === undefined ? place : random.at((t - place) / period).permutation(period)[place]];
  };
  const shape = shapeOf(graphs);
  const { n } = spec;
  const round = (t: number) => at(t).round(0);
  const worst = () => ({ rate: Math.max(...graphs.map((graph) => graph.rate().rate)), bound: null, method }) as const;
  const sequence = { n, kind: "periodic", period, symmetric: shape.symmetric, round, rate: worst } as const;
  const left = (m: number) => normOver(sequence, m).norm;
  // Nothing, or what rounding leaves of a product that is the mean: then the last round is what makes it so.
  const vanishes = (norm: number) => norm === 0 || (norm <= n * 2 ** -52 && left(period - 1) > 1e-3);
  const isExact = n * period <= MOST_LOOKED_AT && vanishes(left(period));
  return topologyOf({
    ...shape,
    ...{ kind: "periodic", period, spec, round },
    ...(isExact ? { exactAfter: period } : {}),
    peers: (t, i) => at(t).peers(0, i),
    rate() {
      const periodNorm = isExact ? 0 : left(period);
      return { ...worst(), periodNorm, periodRate: periodNorm ** (1 / period) };
    },
  });
}

const method = "certified iteration";

/** Whether a period is exact is looked at where it has so many rows in all, some milliseconds' work. */
const MOST_LOOKED_AT = 2 ** 18;

/** What holds of rounds one after another, each a graph of its own. */
function shapeOf(graphs: readonly Topology[]) {
  return {
    symmetric: graphs.every(({ symmetric }) => symmetric),
    directed: graphs.some(({ directed }) => directed),
    maxDegree: Math.max(...graphs.map(({ maxDegree }) => maxDegree)),
  };
}

function graphOf(round: WrittenRound, spec: TopologySpec): Topology {
  const { n } = spec;
  switch (round.kind) {
    case "circulant":
      for (const shift of round.shifts) integer("a shift", shift, 1, n - 1);
      return circulantTopology(spec, round.self, round.shifts, round.weights, circulantRate);
    case "mean":
      return meanTopology(spec, real("keep", round.keep, share, 0));
    case "matching":
      return matching(round, spec);
    case "cliques": {
      const { size } = round;
      const first = (i: number) => i - (i % integer("size", size, 1));
      const members = (i: number) => Array.from({ length: Math.min(n - first(i), size) }, (_, k) => first(i) + k);
      return listed(spec, (i) => {
        const all = members(i);
        return [1 / all.length, all.filter((j) => j !== i).map((j) => [j, i, 1 / all.length])];
      });
    }
    case "sparse": {
      const { weights, rows } = round;
      return listed(spec, (i) => {
        const [own, ...rest] = rows[i];
        const pairs = Array.from(
          { length: rest.length / 2 },
          (_, k): Edge => [rest[2 * k], i, weights[rest[2 * k + 1]]],
        );
        return [weights[own], pairs];
      });
    }
  }
  const known = "circulant, matching, mean, cliques or sparse";
  throw new InputError(`the kind of a round must be ${known}`, (round as WrittenRound).kind, "update equitopo");
}

/** A graph from the own weight and the in-edges of every node; sums are checked where it is made. */
function listed(spec: TopologySpec, row: (i: number) => readonly [number, readonly Edge[]]): Topology {
  const rows = Array.from({ length: spec.n }, (_, i) => row(i));
  const edges = rows.flatMap(([, links]) => links);
  return customGraph({ n: spec.n, self: rows.map(([own]) => own), edges, name: spec.name });
}

function matching({ weight, partner }: WrittenRound & { readonly kind: "matching" }, spec: TopologySpec): Topology {
  const { n } = spec;
  real("weight", weight, share, 0.5);
  const wrong = partner.findIndex((j, i) => partner[j] !== i);
  if (partner.length !== n || wrong >= 0) throw new InputError("partners must be each other's", partner[wrong], AGAIN);
  const rounds = pairRounds(n, weight, (_t, i) => partner[i]);
  return topologyOf({
    ...{ kind: "static", symmetric: true, maxDegree: 1, spec },
    ...rounds,
    rate: () => sparseRate(rounds.round(0), true),
  });
}

function subset(rule: SubsetRule, spec: TopologySpec): Topology {
  real("alpha", rule.alpha, { min: 0, max: 2 }, 0.5);
  for (const p of rule.probabilities) real("a probability", p, share, 0.5);
  const [count, found] = [rule.matchings.length, rule.probabilities.length];
  if (found !== count) throw new InputError(`${count} matchings must have as many probabilities`, found, AGAIN);
  for (const ends of rule.matchings) {
    for (const i of ends) integer("an end of an edge", i, 0, spec.n - 1);
    if (new Set(ends).size === ends.length && ends.length % 2 === 0) continue;
    throw new InputError("a matching must join pairs of different nodes, each at most once", ends, AGAIN);
  }
  const edges = rule.matchings.flatMap((ends) => pairsOf(ends));
  const colours = Int32Array.from(rule.matchings.flatMap((ends, colour) => pairsOf(ends).map(() => colour)));
  return drawnMatchings(spec, rule, () => {
    const p = Float64Array.from(rule.probabilities);
    const { value, residual } = meanSquares(spec.n, edges, colours, p).squareAt(rule.alpha);
    return { square: Math.max(0, value), error: residual };
  });
}

const pairsOf = (ends: readonly number[]) =>
  Array.from({ length: ends.length / 2 }, (_, k): Pair => [ends[2 * k], ends[2 * k + 1]]);

/** Of two vectors a node this library has CECA's rounds, which follow from n and from whether nodes exchange in pairs. */
function twoVectors(rule: PairRule, { n }: TopologySpec): Topology {
  const paired = rule.of.name === "table" && rule.of.rounds[0]?.kind === "matching";
  const known = paired ? ceca1p({ n }) : ceca2p({ n });
  if (canonicalHash(ruleOf(known, 1)) === canonicalHash(rule)) return known;
  throw new InputError("rounds over two vectors a node must be those of CECA", rule.rounds.length, AGAIN);
}

/** Rounds that a plug-in drew: there are no others, and their rate is what the plan says. */
function finite({ rounds }: RoundsRule, spec: TopologySpec, rate: number | null): Topology {
  const graphs = rounds.map((round, t) => inside(`round ${t}`, () => graphOf(round, spec)));
  const at = (t: number) => {
    if (t < graphs.length) return graphs[t];
    const remedy = "write a plan with more of them: equitopo plan ... --written M";
    throw new InputError(`the plan has its ${graphs.length} rounds written out, and no more`, t, remedy);
  };
  return topologyOf({
    ...shapeOf(graphs),
    kind: "random",
    spec,
    round: (t) => at(t).round(0),
    peers: (t, i) => at(t).peers(0, i),
    rate() {
      if (rate !== null) return { rate, bound: null, method: "closed form" };
      throw new InputError("the rate of rounds that are written out is what the plan says", rate, AGAIN);
    },
  });
}
