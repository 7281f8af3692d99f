/**
 * What a seed draws is part of every saved spec and certificate: these values are this library's own, of its first
 * version, and must never change. (That they are right is tested elsewhere.)
 */

import { expect, test } from "vitest";
import { fillNormal } from "../../src/random/normal.ts";
import { RandomStream } from "../../src/random/stream.ts";
import type { CirculantRound } from "../../src/round/round.ts";
import { erdosRenyi } from "../../src/topology/erdos-renyi.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";

const firstRounds = (count: number) => Array.from({ length: count }, (_, t) => t);
const shifts = (topology: Topology, count: number) =>
  firstRounds(count).map((t) => (topology.round(t) as CirculantRound).shifts[0]);

test("bases", () => {
  const basis = (name: string, n: number, m: number, seed: number) =>
    createTopology({ name, n, m, seed }).spec["basis"];
  expect(basis("d-equistatic", 300, 9, 1)).toEqual([9, 78, 67, 129, 70, 281, 245, 106, 147]);
  expect(basis("u-equistatic", 12, 2, 7)).toEqual([1, 7]);
});

test("rounds of EquiDyn", () => {
  expect(shifts(odEquiDyn({ n: 300, seed: 1 }), 8)).toEqual([271, 177, 268, 275, 164, 55, 203, 118]);
  const drawn = odEquiDyn({ n: 17, basis: [15, 11, 8, 10], seed: 2 ** 40 });
  expect(shifts(drawn, 8)).toEqual([8, 10, 10, 15, 15, 11, 11, 10]);
  const pairs = ouEquiDyn({ n: 17, basis: [15, 11, 8, 10], seed: 3 });
  expect(firstRounds(6).map((t) => pairs.choice(t))).toEqual([
    { v: 11, s: 15 },
    { v: 15, s: 8 },
    { v: 11, s: 3 },
    { v: 6, s: 14 },
    { v: 15, s: 5 },
    { v: 9, s: 14 },
  ]);
});

test("the random order of one-peer exponential", () => {
  expect(shifts(onePeerExp({ n: 300, order: "random", seed: 1 }), 18)).toEqual([
    32, 8, 256, 4, 2, 1, 128, 64, 16, 32, 64, 4, 1, 256, 16, 2, 128, 8,
  ]);
});

test("random graphs", () => {
  const graph = erdosRenyi({ n: 8, seed: 1 });
  const lists = firstRounds(8).map((i) => graph.peers(0, i).from.map(({ node }) => node));
  expect(lists.map((list) => list.sort().join(" "))).toEqual([
    "2 4 5 7",
    "2 4",
    "0 1",
    "4 5 6 7",
    "0 1 3 5 7",
    "0 3 4 6 7",
    "3 5 7",
    "0 3 4 5 6",
  ]);
});

test("numbers", () => {
  const random = new RandomStream(1, 1000, 0);
  expect(random.word()).toBe(152_095_886);
  expect(random.below(1000)).toBe(460);
  expect(random.uniform()).toBe(0.9018169413258607);
  expect(random.permutation(5).join("")).toBe("23140");
  expect(Array.from(fillNormal(new Float64Array(4), 1, 1000, 0))).toEqual([
    -2.506584264436474, 0.631198429024663, 0.41910529143126285, -0.17617666208853577,
  ]);
});
