/** Graphs that are slightly wrong must fail the paper's experiments. */

import { experiments } from "@equitopo/experiments";
import { dEquiStatic, type MatchingRound, type OuEquiDyn, odEquiDyn, ouEquiDyn, type Topology } from "equitopo";
import { greedyMatching } from "equitopo/topology";
import { describe, expect, it } from "vitest";
import { logExponent } from "../../../../experiments/curves.ts";
import { exactness, meetings } from "../../../../experiments/exactness.ts";
import { type GossipUnit, gossipOn, meetingsOn } from "../../../../experiments/unit.ts";

const n = 60;

/** Whether each check of a graph passes: curves, rate, factors. */
function verdicts(make: (seed: number) => Topology, dynamic: boolean): boolean[] {
  const runs = [0, 1, 2, 3].map((seed) => {
    const topology = make(seed);
    const unit: GossipUnit = { kind: "gossip", key: "", topology: topology.spec, rounds: 60, seed, printed: true };
    return gossipOn(topology, unit);
  });
  return exactness("a graph", [runs], dynamic).map(({ pass }) => pass);
}

const right = (seed: number) => ouEquiDyn({ n, eta: 0.5, seed });

/** Every second pair is left out. */
function halved(graph: OuEquiDyn): OuEquiDyn {
  const round = (t: number) => {
    const whole = graph.round(t) as MatchingRound;
    const partner = whole.partner.slice();
    let pairs = 0;
    whole.partner.forEach((j, i) => {
      if (i < j && pairs++ % 2 === 1) [partner[i], partner[j]] = [i, j];
    });
    return { ...whole, partner };
  };
  return { ...graph, round };
}

/** Always from node 0. */
function fixedStart(graph: OuEquiDyn): OuEquiDyn {
  const choice = (t: number) => ({ v: graph.choice(t).v, s: 0 });
  const round = (t: number): MatchingRound => ({
    ...(graph.round(t) as MatchingRound),
    partner: greedyMatching(graph.n, choice(t).v, 0),
  });
  return { ...graph, choice, round };
}

/** A^(u) without its 1/n on the diagonal, in rounds and in the rate. */
function withoutDiagonal<T extends Topology>(graph: T, same: T): T {
  return { ...graph, rate: () => same.rate(), round: (t: number) => same.round(t), peers: graph.peers };
}

describe("the checks of the paper's graphs", () => {
  it("pass on the graphs themselves", () => {
    expect(verdicts(right, true)).toEqual([true, true, true]);
    expect(verdicts((seed) => odEquiDyn({ n, eta: 0.5, seed }), true)).toEqual([true, true, true]);
    expect(verdicts((seed) => odEquiDyn({ n, m: 12, seed }), true)).toEqual([true, true, true]);
    expect(verdicts((seed) => dEquiStatic({ n, m: 9, seed }), false)).toEqual([true, true, true]);
  });

  it("fail on OU-EquiDyn with half of its pairs", () => {
    expect(verdicts((seed) => halved(right(seed)), true)).toEqual([false, true, false]);
  });

  it("fail where the 1/n on the diagonal is dropped", () => {
    // eta n/(n-1) in place of eta puts the weight eta itself on the edge.
    const heavier = (0.5 * n) / (n - 1);
    const [curves, rate] = verdicts((seed) => withoutDiagonal(right(seed), ouEquiDyn({ n, eta: heavier, seed })), true);
    expect([curves, rate]).toEqual([false, false]);
    const directed = verdicts(
      (seed) => withoutDiagonal(odEquiDyn({ n, eta: 0.5, seed }), odEquiDyn({ n, eta: heavier, seed })),
      true,
    );
    expect(directed.slice(0, 2)).toEqual([false, false]);
  });

  it("fail on OU-EquiDyn from one fixed start, by who meets whom", () => {
    const unit = { kind: "meetings", key: "", topology: { name: "ou-equidyn", n: 17 }, rounds: 2000 } as const;
    const graph = ouEquiDyn({ n: 17, eta: 0.5, seed: 3 });
    const verdict = (one: Topology) => meetings("a graph", 17, unit.rounds, meetingsOn(one, unit)).pass;
    expect([graph, fixedStart(graph), halved(graph)].map(verdict)).toEqual([true, false, false]);
  });

  it("are part of the experiments", () => {
    const checked = ["consensus-one-peer", "consensus-log-degree", "consensus-size-independence"].map((name) => {
      const units = experiments.find((one) => one.name === name)!.units("quick");
      return [units.filter((unit) => unit.kind === "gossip" && unit.printed).length > 0, units.map(({ kind }) => kind)];
    });
    expect(checked.map(([printed]) => printed)).toEqual([true, true, true]);
    expect(checked[0][1]).toContain("meetings");
  });
});

it("the exponent of 1/ln n tells a constant from it", () => {
  const sizes = [1000, 2000, 5000, 10_000];
  expect(logExponent(sizes, [0.3, 0.3, 0.3, 0.3]).exponent).toBeCloseTo(0, 12);
  const falling = sizes.map((size) => 2 / Math.log(size));
  expect(logExponent(sizes, falling).exponent).toBeCloseTo(1, 12);
  expect(logExponent(sizes, falling).error).toBeLessThan(1e-12);
});
