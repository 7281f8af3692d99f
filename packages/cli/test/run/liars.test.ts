/** Specs with liars at the command line, and that an experiment about them means what it says. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { experiments, type LearningUnit } from "@equitopo/experiments/internal";
import { classificationFamily } from "@equitopo/nn";
import { parseSpec, problems } from "equitopo";
import { expandSpec } from "equitopo/internal/run";
import { expect, it } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const document = {
  topologies: [{ name: "ring", n: 5 }],
  algorithms: [{ name: "dsgd", learningRate: 0.005 }],
  problem: { name: "least-squares", K: 10 },
  rounds: 20,
};
const spec = (name: string, more: object) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...document, ...more }));
  return file;
};

it("result.json says who lied, and measures the others", () => {
  const robust = { kind: "guard", radius: 5 };
  const file = spec("liar", { faults: { liars: [3], attack: "large" }, robust });
  const { runs } = parsed(spawned(`run ${file} --json --out ${join(folder, "liar")}`));
  expect(runs[0].liars).toEqual([3]);
  expect(runs[0].metrics.relativeError).toBeLessThan(1.5);
});

it("what real peers cannot play, and what a defence cannot do, is refused with exit code 2 before anything is written", async () => {
  const out = join(folder, "never");
  const file = spec("sees", { faults: { liars: [3], attack: "little-is-enough" } });
  const sees = await equitopo(`run ${file} --transport threads --out ${out}`);
  expect([sees.status, sees.stderr]).toEqual([2, expect.stringContaining("a real peer cannot do colluding-liars")]);
  const tracked = spec("tracked", { algorithms: [{ name: "dsgt" }], robust: { kind: "clip", radius: 1 } });
  const tracks = await equitopo(`run ${tracked} --out ${out}`);
  expect([tracks.status, tracks.stderr]).toEqual([2, expect.stringContaining("cannot do defences with tracking")]);
  expect(existsSync(out)).toBe(false);
});

it("every run of the experiment is one that a spec could ask for", () => {
  problems.add(classificationFamily);
  const units = experiments.find(({ name }) => name === "liars")?.units("full") as readonly LearningUnit[];
  const kinds = new Set(units.map(({ run }) => `${run.robust?.kind} ${run.topology.name}`));
  expect(kinds).toContain("trim ring");
  expect(kinds).not.toContain("trim ou-equidyn");
  // Of each graph and defence one run with liars, and the longest list of them.
  const chosen = [...kinds].map((kind) =>
    units.findLast(({ run }) => `${run.robust?.kind} ${run.topology.name}` === kind && run.faults !== undefined),
  );
  for (const unit of chosen) {
    const {
      label: _,
      topology,
      algorithm,
      problem,
      seed,
      evaluate,
      plugins: _none,
      ...run
    } = (unit as LearningUnit).run;
    const [again] = expandSpec(
      parseSpec({ ...run, runs: [{ topology, algorithm, problem }], seeds: [seed], evaluate: 150 }),
    );
    expect({ ...again, label: "" }).toEqual({ ...(unit as LearningUnit).run, topology: again.topology, label: "" });
    expect(evaluate).toBe(150);
  }
});
