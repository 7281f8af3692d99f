/** The table of a spec's results: every column is a mean over seeds, also of what the graphs drawn have and cost. */

import { expandSpec, type RunResult, runSpec } from "equitopo";
import { expect, it } from "vitest";
import { finalTable, groupByLabel, runKey } from "../../src/internal/outcome.ts";

it("has means over seeds of degree, exact rate, bytes and seconds", () => {
  const runs = expandSpec({
    topologies: [{ name: "u-equistatic", n: 60, m: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", d: 10 },
    rounds: 200,
    every: 200,
    seeds: [1, 2, 3, 4, 5, 6, 7, 8],
  });
  const results = runs.map((run) => runSpec(run));
  const byLabel = groupByLabel(new Map(runs.map((run, k) => [runKey(run, k), results[k]])), runs);
  const { columns, rows } = finalTable(byLabel, "seconds");
  const row = Object.fromEntries(columns.map((column, k) => [column, rows[0][k]]));
  const mean = (of: (run: RunResult) => number) => results.reduce((sum, run) => sum + of(run), 0) / 8;
  // As measured run by run; seed 1 alone has degree 6, rate 0.9214 and 96,000 bytes.
  expect([row["exact rate"], row["bytes per node"]]).toEqual([expect.closeTo(0.947, 4), 88_000]);
  expect(row["degree"]).toBe(mean(({ degree }) => degree));
  expect(row["exact rate"]).toBeCloseTo(
    mean(({ rate }) => rate),
    14,
  );
  expect(row["seconds"]).toBeCloseTo(
    mean(({ seconds }) => seconds.at(-1)!),
    12,
  );
});
