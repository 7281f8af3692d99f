/** The paper's tables on docs/paper.md are what the library computes, and what the pages of results say. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { experiments } from "@equitopo/experiments";
import { createTopology, type TopologySpec } from "equitopo";
import { showIterations, showRate } from "equitopo/internal/picture";
import type { Unit } from "equitopo/outcome";
import { theoryTable, theoryTableNames } from "equitopo/theory";
import { describe, expect, it } from "vitest";

const page = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), "utf8");
const paper = page("paper.md");

/** The cells of the rows of a text that are rows of a table. */
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^\| [^-]/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim()),
    );

it("Table 1 has true degrees and exact rates", () => {
  const rows = new Map(
    rowsOf(paper.slice(0, paper.indexOf("## Figure 1"))).map(([name, ...cells]) => [name, cells] as const),
  );
  const [study] = experiments.filter(({ name }) => name === "table-1");
  for (const unit of study.units("quick") as readonly (Unit & { readonly topology: TopologySpec })[]) {
    const [, title, n] = /^(.*) n=(\d+)$/.exec(unit.key)!;
    const at = ["16", "256"].indexOf(n);
    if (at < 0) continue;
    const [, degrees, ...rates] = rows.get(title)!;
    const topology = createTopology(unit.topology);
    expect([degrees.split(" · ")[at], rates[at]], unit.key).toEqual([
      String(topology.maxDegree),
      showRate(topology.rate().rate),
    ]);
  }
});

describe("Tables 2, 3 and 4", () => {
  it.each(theoryTableNames.map((name, k) => [k + 2, name] as const))(
    "Table %i has the numbers of theory %s",
    (k, name) => {
      const text = paper.slice(paper.indexOf(`**Table ${k}, `));
      const rows = rowsOf(text.slice(0, text.indexOf("\n\n", text.indexOf("|---"))));
      const found = theoryTable(name).rows.flatMap(({ topology: _, numbers }) => numbers);
      expect(rows.slice(1)).toHaveLength(8);
      for (const [topology, _communication, _rate, _transient, ...here] of rows.slice(1)) {
        const ours = found.filter((one) => one.name === topology);
        expect(here, topology).toEqual(
          ours.map(({ transientIterations }) => showIterations(transientIterations).replace("e+", "e")),
        );
      }
    },
  );
});

it("Table 5 has the means and standard errors of the pages of results", () => {
  const text = paper.slice(paper.indexOf("**Table 5**"));
  const rows = rowsOf(text.slice(0, text.indexOf("\n\n", text.indexOf("|---")))).slice(1);
  expect(rows).toHaveLength(8);
  const results = ["mnist", "cifar10"].map(
    (name) =>
      new Map(
        rowsOf(page(`results/${name}.md`))
          .reverse()
          .map(([row, ...cells]) => [row, cells] as const),
      ),
  );
  for (const [name, ...cells] of rows) {
    const [mnist, cifar] = results.map((of) => of.get(name)!);
    const there = [mnist[0], mnist[1], mnist[3], cifar[0], cifar[1], cifar[3]];
    expect(cells.map(Number), name).toEqual(there.map(Number));
  }
});
