/** The pictures of docs/figures show what the library's graphs are now: edge by edge, and every one of the table is there. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTopology, type Round, type Topology } from "equitopo";
import { forEachEdge } from "equitopo/round";
import { describe, expect, test } from "vitest";
import { learnPictures } from "../../../../scripts/docs/learn.mjs";

const folder = fileURLToPath(new URL("../../../../docs/figures/", import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), "utf8");

/** Edges as they are written in the pictures; where they go both ways, once. */
function edgesOf(round: Round, symmetric: boolean, first: number): string[] {
  const edges: string[] = [];
  forEachEdge(round, (from, to) => {
    if (!symmetric || from < to) edges.push(`${from + first}-${to + first}`);
  });
  return edges.sort();
}

const drawn = (svg: string) => Array.from(svg.matchAll(/data-edge="([^"]+)"/g), ([, edge]) => edge).sort();

describe("the paper's graphs", () => {
  const basis = (name: string) => (u: number) => createTopology({ name, n: 6, basis: [u] }).round(0);
  const pairs = (s: number) => (u: number) => {
    const roundOf = createTopology({ name: "ou-equidyn", n: 6 }).roundOf as NonNullable<Topology["roundOf"]>;
    return roundOf({ shift: u, start: s - 1 });
  };

  test.each([
    ["basis", false, basis("d-equistatic")],
    ["undirected", true, basis("u-equistatic")],
    ["ou-equidyn-s1", true, pairs(1)],
    ["ou-equidyn-s3", true, pairs(3)],
  ] as const)("%s has the edges of u = 1, ..., 5", (name, symmetric, round) => {
    const [, ...panels] = read(`paper/illustration-${name}.svg`).split(/>u = (?=\d<)/);
    expect(panels.map((panel) => panel[0])).toEqual(["1", "2", "3", "4", "5"]);
    for (const [k, panel] of panels.entries()) expect(drawn(panel)).toEqual(edgesOf(round(k + 1), symmetric, 1));
  });
});

test.each(["od-equidyn", "ou-equidyn"])("the rounds of %s are those of the topology", (name) => {
  const topology = createTopology({ name, n: 17 });
  const [, ...rounds] = read(`${name}-rounds.svg`).split('<g class="round');
  expect(rounds).toHaveLength(12);
  for (const [t, svg] of rounds.entries()) {
    expect(drawn(svg)).toEqual(edgesOf(topology.round(t), topology.symmetric, 0));
  }
});

test("the pictures of docs/learn.md are those that the library draws now", () => {
  for (const [name, svg] of Object.entries(learnPictures())) expect(read(`learn/${name}`), name).toBe(svg);
});

test("every picture of the table is there, and small", () => {
  const named = Array.from(read("README.md").matchAll(/^\| \[([^\]]+)\]\(([^)]+)\).*`equitopo [^`]+` \|$/gm));
  expect(named.length).toBeGreaterThanOrEqual(8);
  for (const [, name, link] of named) {
    expect(link).toBe(name);
    expect([name, existsSync(join(folder, name))]).toEqual([name, true]);
    expect(statSync(join(folder, name)).size).toBeLessThan(40_000);
  }
});
