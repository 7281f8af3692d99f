import { describe, expect, test } from "vitest";
import { convergence } from "../../src/theory/convergence.ts";
import { theoryTable, theoryTableNames } from "../../src/theory/tables.ts";
import { createTopology } from "../../src/topology/registry.ts";

describe.each(theoryTableNames)("%s", (name) => {
  const table = theoryTable(name, { n: [64, 1024], sigma: 2, b: 0.5, kappa: 3, seed: 1 });

  test("has the paper's six rows, and a number for every topology and n", () => {
    expect(table.rows.map((row) => row.topology)).toEqual([
      "Ring",
      "Torus",
      "Static Exp.",
      "O.-P. Exp.",
      "D(U)-EquiStatic",
      "OD (OU)-EquiDyn",
    ]);
    expect(table.rows.map((row) => row.numbers.length)).toEqual([2, 2, 2, 2, 4, 4]);
  });

  test("numbers are those of the topology that the spec builds again", () => {
    for (const { spec, n, degree, beta, from, transientIterations } of table.rows.flatMap((row) => row.numbers)) {
      const topology = createTopology(spec);
      expect(topology.maxDegree).toBe(degree);
      if (from === "round") expect(topology.rate().rate).toBe(beta);
      const again = convergence(table.method, { n, beta, sigma: 2, b: 0.5, kappa: 3 });
      expect(again.transientIterations).toBe(transientIterations);
    }
  });

  test("at n = 1024 the order is the paper's: EquiDyn before exponential before torus before ring", () => {
    const at = (family: string) =>
      table.rows.flatMap((row) => row.numbers).find((entry) => entry.name === family && entry.n === 1024)!
        .transientIterations;
    const order = ["od-equidyn", "ou-equidyn", "static-exp", "one-peer-exp", "torus", "ring"].map(at);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(6);
  });
});

test("one-peer exponential carries both readings of its period", () => {
  const { rows } = theoryTable("table-dsgd-nonconvex", { n: [300] });
  const [entry] = rows[3].numbers;
  expect(entry.from).toBe("period");
  expect(entry.geometricMean!.beta).toBeLessThan(entry.beta);
  expect(entry.geometricMean!.transientIterations).toBeLessThan(entry.transientIterations);
});

test("m sets the basis of the EquiStatic rows", () => {
  const { rows } = theoryTable("table-dsgt", { n: [50], m: (n) => n / 2 });
  expect((rows[4].numbers[0].spec["basis"] as number[]).length).toBe(25);
});
