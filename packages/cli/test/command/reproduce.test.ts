/** `equitopo reproduce` and what stands behind it: experiments, the pool, the folder. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { experiments, runUnit, type UnitResult } from "@equitopo/experiments";
import { describe, expect, it } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();

describe("reproduce", () => {
  it("runs experiments into one folder, prints expected against measured, and ends with 0", () => {
    const out = join(folder, "quick");
    const { status, stdout, stderr } = spawned(
      `reproduce dsgd-least-squares consensus-log-degree --quick --out ${out}`,
    );
    expect([status, stderr]).toEqual([0, `\nreport: ${join(out, "report.html")}\n`]);
    // The rest of a long cell is below it.
    expect(stdout).toMatch(
      /ok +after 39 updates: Complete < D-EquiStatic < +in every repeat .*\n +U-EquiStatic < Static Exp\. /,
    );
    expect(stdout).not.toContain("FAILED");
    const files = readdirSync(out);
    for (const name of ["dsgd-least-squares", "consensus-log-degree"]) {
      for (const kind of ["svg", "png", "csv", "ndjson"]) expect(files).toContain(`${name}.${kind}`);
    }
    const html = readFileSync(join(out, "report.html"), "utf8");
    expect(html).toContain("@inproceedings{song2022communication");
    expect(html.replaceAll(/xmlns(:\w+)?="[^"]*"/g, "")).not.toMatch(/(src|href)="https?:/);
  });

  it("prints one object with --json", () => {
    const out = join(folder, "json");
    const result = parsed(spawned(`reproduce consensus-log-degree --quick --out ${out} --json`));
    expect(result).toMatchObject({ out, passed: true });
    expect(result.experiments[0].checks.length).toBeGreaterThan(3);
  });

  it("suggests the experiment that was meant, and writes nothing", async () => {
    const { status, stderr } = await equitopo("reproduce consensus-onepeer");
    expect(status).toBe(2);
    expect(stderr).toContain("did you mean consensus-one-peer?");
  });

  it("names every experiment in its help", async () => {
    const { stdout } = await equitopo("reproduce --help");
    for (const { name } of experiments) expect(stdout).toContain(name);
  });
});

describe("experiments", () => {
  it("have units of distinct keys at both scales", () => {
    for (const experiment of experiments) {
      for (const scale of ["quick", "full"] as const) {
        const keys = experiment.units(scale).map((unit) => unit.key);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  it("fail their checks when the results are not what they must be", async () => {
    const experiment = experiments.find(({ name }) => name === "consensus-log-degree")!;
    const results = new Map<string, UnitResult>();
    for (const unit of experiment.units("quick")) {
      // Everybody's curve is the static exponential graph's.
      if (unit.kind !== "gossip") throw new Error("expected gossip");
      const { n } = unit.topology;
      results.set(unit.key, await runUnit({ ...unit, topology: { name: "static-exp", n } }));
    }
    expect(experiment.outcome(results, "quick").checks.some((check) => !check.pass)).toBe(true);
  });
});
