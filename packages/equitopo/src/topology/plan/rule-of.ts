/** The rule of a topology: its own where it draws, a table of one period where it does not. */

import { repeatsInOrder } from "../../rate/sequence.ts";
import { forEachEdgeInto, type Round, selfWeight } from "../../round/round.ts";
import { groupingOf } from "../grouping.ts";
import type { Topology } from "../topology.ts";
import type { Rule, WrittenRound } from "./rule.ts";

/** What draws the topology's rounds; `most` of them are written out where nothing else can be said. */
export function ruleOf(topology: Topology, most: number): Rule {
  const { rule, hierarchy, period, pair, round } = topology;
  if (rule !== undefined) return rule(most);
  if (hierarchy !== undefined) {
    const groups = groupingOf(hierarchy.groups);
    return { name: "grouped", groups, ...(groups.length === 1 ? {} : { between: ruleOf(hierarchy.between, most) }) };
  }
  if (period === undefined || !repeatsInOrder(topology)) return { name: "rounds", rounds: written(round, most) };
  const table: Rule = { name: "table", rounds: written(round, period) };
  if (pair === undefined) return table;
  return { name: "pair", rounds: Array.from({ length: period }, (_, t) => pair(t)), of: table };
}

/** The first rounds of a sequence, written out. */
export function written(round: (t: number) => Round, count: number): WrittenRound[] {
  return Array.from({ length: count }, (_, t) => writtenRound(round(t)));
}

function writtenRound(round: Round): WrittenRound {
  if (round.kind === "circulant") {
    const { kind, self, shifts, weights } = round;
    return { kind, self, shifts: [...shifts], weights: [...weights] };
  }
  if (round.kind === "matching") return { kind: "matching", weight: round.weight, partner: [...round.partner] };
  if (round.kind === "mean") return { kind: "mean", keep: round.keep };
  const places = new Map<number, number>();
  const place = (weight: number) => {
    if (!places.has(weight)) places.set(weight, places.size);
    return places.get(weight) as number;
  };
  const rows = Array.from({ length: round.n }, (_, i) => {
    const row = [place(selfWeight(round, i))];
    forEachEdgeInto(round, i, (from, _to, weight) => row.push(from, place(weight)));
    return row;
  });
  return { kind: "sparse", weights: [...places.keys()], rows };
}
