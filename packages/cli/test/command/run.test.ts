/** `equitopo run`: the runs of a spec, whatever the file's kind and the number of workers. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const least = {
  topologies: [{ name: "ou-equidyn", n: 17 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares" },
  rounds: 200,
  seeds: [5],
};

function specFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const json = specFile("least.json", JSON.stringify(least));

describe("run", () => {
  const first = parsed(spawned(`run ${json} --out ${join(folder, "first")} --json`));

  it("prints result.json, with the hash of the final rows", () => {
    expect(JSON.parse(readFileSync(join(folder, "first", "result.json"), "utf8"))).toEqual(first);
    expect(first.stateHash).toMatch(/^[0-9a-f]{64}$/);
    expect(first.runs).toHaveLength(1);
    expect(first.runs[0]).toMatchObject({
      label: "ou-equidyn",
      algorithm: "dsgt",
      seed: 5,
      updates: 200,
      clock: "simulated",
    });
    expect(first.runs[0].stateHash).toBe(first.stateHash);
    expect(first.runs[0].metrics.relativeError).toBeLessThan(0.05);
    for (const name of ["spec.json", "versions.json", "report.html", "files.json"]) {
      expect(readdirSync(join(folder, "first"))).toContain(name);
    }
  });

  it("gives the same from YAML and from a module", () => {
    const yaml = specFile(
      "least.yaml",
      "topologies: [{ name: ou-equidyn, n: 17 }]\nalgorithms: [{ name: dsgt, learningRate: 0.01 }]\n" +
        "problem: { name: least-squares }\nrounds: 200\nseeds: [5]\n",
    );
    const module = specFile("least.mjs", `export default ${JSON.stringify(least)};\n`);
    for (const path of [yaml, module]) {
      const { stateHash } = parsed(spawned(`run ${path} --out ${path}-out --json`));
      expect(stateHash).toBe(first.stateHash);
    }
  });

  it("does not depend on the number of workers", () => {
    const many = specFile("many.json", JSON.stringify({ ...least, rounds: 50, seeds: [1, 2, 3, 4] }));
    const hashes = [1, 3].map((workers) => {
      const out = join(folder, `workers-${workers}`);
      return parsed(spawned(`run ${many} --workers ${workers} --out ${out} --json`)).runs.map(
        (run: { stateHash: string }) => run.stateHash,
      );
    });
    expect(new Set(hashes[0]).size).toBe(4);
    expect(hashes[1]).toEqual(hashes[0]);
  });

  it.each([
    ["a misspelt topology", { ...least, topologies: [{ name: "ou-equidin", n: 17 }] }, /topologies\[0\].*ou-equidyn\?/],
    [
      "an option out of range",
      { ...least, topologies: [{ name: "od-equidyn", n: 17, eta: 2 }] },
      /topologies\[0\]: eta/,
    ],
    [
      "a misspelt option",
      { ...least, algorithms: [{ name: "dsgt", learningrate: 1 }] },
      /algorithms\[0\].*learningRate\?/,
    ],
    [
      "an unfit pair",
      { ...least, algorithms: [{ name: "extra" }] },
      /algorithms\[0\]: extra needs .* these fit: u-equistatic/,
    ],
    ["a bad problem", { ...least, problem: { name: "least-squares", K: 0 } }, /problem: K must/],
    ["a bad seed", { ...least, seeds: [-1] }, /seeds\[0\] must/],
    ["an unknown key", { ...least, round: 3 }, /did you mean rounds\?/],
    ["a latency below 0", { ...least, latency: { alpha: -1, beta: 0 } }, /latency: alpha must be at least 0, /],
    ["a latency that is none", { ...least, latency: 3 }, /latency must be an object with numbers alpha and beta/],
    ["a title that is none", { ...least, title: 3 }, /title must be a text/],
    ["a list", [], /a spec must be an object with the keys title, /],
    [
      "no topologies",
      { ...least, topologies: [] },
      /topologies must be a list with at least one entry, got \[\]; add one/,
    ],
  ])("refuses %s with its path, and writes nothing", async (_name, spec, message) => {
    const out = join(folder, "refused");
    const { status, stdout, stderr } = await equitopo(`run ${specFile("bad.json", JSON.stringify(spec))} --out ${out}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });

  it("tells runs apart that would have the same label", () => {
    const rings = [{ n: 5 }, { n: 9 }, { n: 9 }, { n: 9, lazy: true }].map((ring) => ({ name: "ring", ...ring }));
    const spec = specFile("rings.json", JSON.stringify({ ...least, topologies: rings, rounds: 2, seeds: [1] }));
    const out = join(folder, "rings");
    const { runs } = parsed(spawned(`run ${spec} --out ${out} --json`));
    const labels = ["ring n=5", "ring n=9", "ring n=9 #2", "ring n=9 lazy=true"];
    expect(runs.map(({ label }: { label: string }) => label)).toEqual(labels);
    const curves = readFileSync(join(out, "run-loss.csv"), "utf8");
    for (const label of labels) expect(curves).toContain(`against updates,${label},0,`);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("The runs of rings.json, by equitopo.");
  });

  it("says which runs diverged", () => {
    const algorithms = [{ name: "dsgd", learningRate: 1000 }];
    const spec = specFile("wild.json", JSON.stringify({ ...least, algorithms }));
    const { status, stdout, stderr } = spawned(`run ${spec} --out ${join(folder, "wild")} --json`);
    const [{ metrics, diverged }] = JSON.parse(stdout).runs;
    expect([status, metrics.loss, diverged]).toEqual([1, null, expect.any(Number)]);
    expect(diverged).toBeGreaterThan(0);
    expect(stderr).toBe(`ou-equidyn, seed 5: diverged by update ${diverged}; try a smaller learningRate\n`);
  });

  it("says so of errors that are numbers still, and far above their start", () => {
    const document = { ...least, algorithms: [{ name: "dsgd", learningRate: 0.2 }], rounds: 8 };
    const words = `run ${specFile("far.json", JSON.stringify(document))} --out ${join(folder, "far")} --json`;
    const { status, stdout, stderr } = spawned(words);
    const [{ metrics, diverged }] = JSON.parse(stdout).runs;
    expect([status, metrics.relativeError > 1e3, diverged]).toEqual([1, true, expect.any(Number)]);
    expect(stderr).toBe(`ou-equidyn, seed 5: diverged by update ${diverged}; try a smaller learningRate\n`);
    expect(readFileSync(join(folder, "far", "report.html"), "utf8")).toContain(
      "relative error above ten times its start",
    );
  });

  it("--seeds has means, deviations, paired differences and a file of all seeds", async () => {
    const u = { name: "u-equistatic", n: 60, m: 3 };
    const topologies = [u, { name: "ring", n: 60 }];
    const document = { ...least, topologies, algorithms: [{ name: "dsgd", learningRate: 0.01 }], rounds: 20 };
    const out = join(folder, "seeds");
    const words = `run ${specFile("seeds.json", JSON.stringify(document))} --seeds 1..8 --out ${out}`;
    const { status, stdout } = spawned(words);
    expect(status).toBe(0);
    expect(stdout).toMatch(/[Dd]istinguishable in relative error \(exact sign-flip test over 8 seeds/);
    const lines = (name: string) => readFileSync(join(out, name), "utf8").trim().split("\r\n");
    const [head, first] = lines("run-final.csv").map((line) => line.split(","));
    const of = (column: string) => Number(first[head.indexOf(column)]);
    // Means of seeds 1 to 8; seed 1 alone has 0.9214.
    expect([of("exact rate"), of("seeds"), of("bytes per node")]).toEqual([expect.closeTo(0.947, 4), 8, 8800]);
    expect(of("exact rate se")).toBeCloseTo(of("exact rate sd") / Math.sqrt(8), 14);
    expect(lines("run-seeds.csv")).toHaveLength(17);
    expect(lines("run-differences.csv")[0]).toBe("a,b,seeds,mean,se,low,high,p,distinguishable");
    const { overSeeds, differences } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
    expect(overSeeds[0].rate).toEqual({
      seeds: [1, 2, 3, 4, 5, 6, 7, 8],
      ...{ mean: of("exact rate"), sd: of("exact rate sd"), se: of("exact rate se") },
    });
    expect(Object.keys(differences[0])).toEqual(
      expect.arrayContaining(["a", "b", "mean", "se", "p", "distinguishable"]),
    );
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain(
      "Mean over 8 seeds, band from the lowest to the highest.",
    );
  });

  it("refuses an output folder that is a file", async () => {
    const { status, stderr } = await equitopo(`run ${json} --out ${json}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: the output folder must be writable \(EEXIST\), got /);
  });

  it("refuses files that are no spec", async () => {
    expect((await equitopo(`run ${join(folder, "nothing.yaml")}`)).stderr).toMatch(/ENOENT/);
    expect((await equitopo(`run ${specFile("broken.json", "{")}`)).status).toBe(2);
    const indented = specFile("indented.yaml", "topologies:\n  - name: ring\n   n: 5\n");
    expect((await equitopo(`run ${indented}`)).stderr).toMatch(
      /got "line 3, column 1: [^"]*"; see equitopo guide spec/,
    );
    // A long message keeps its place, whatever is left of its words.
    const unclosed = specFile("unclosed.yaml", "topologies:\n  - { name: ring, n: 5\nrounds: 3\n");
    expect((await equitopo(`run ${unclosed}`)).stderr).toMatch(/got "line 3, column 1: Flow map .*\.\.\.; see/);
    for (const text of ["", "# nothing yet\n", "null\n", "42\n"]) {
      const { status, stderr } = await equitopo(`run ${specFile("empty.yaml", text)}`);
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^error: a spec must be an object .*, got (null|42); /),
      ]);
    }
    const one = specFile("one.yaml", "topology: { name: ring, n: 5 }\n");
    expect((await equitopo(`run ${one}`)).stderr).toMatch(/got "topology"; did you mean topologies\?\n$/);
    const tagged = specFile("tagged.yaml", 'topologies: [{ name: ring, n: !!js/function "x" }]\nrounds: 3\n');
    expect(spawned(`run ${tagged}`)).toMatchObject({ status: 2, stderr: expect.stringMatching(/^error: [^\n]*\n$/) });
    const latin = join(folder, "latin.yaml");
    writeFileSync(latin, Buffer.from("title: caf\u00e9\n", "latin1"));
    expect((await equitopo(`run ${latin}`)).stderr).toMatch(
      /latin\.yaml: the file must be text in UTF-8, got "the byte/,
    );
    expect((await equitopo(`run ${mkdtempSync(join(folder, "folder-"))}`)).stderr).toMatch(/a spec is a \.yaml/);
    const commas = specFile("commas.json", '{"topologies": [\n  {"name": "ring",, "n": 17}]}');
    expect((await equitopo(`run ${commas}`)).stderr).toMatch(/got "line 2, column 19: [^"]*"; see/);
    expect((await equitopo(`run ${specFile("spec.toml", "")}`)).stderr).toMatch(
      /a spec is a \.yaml, \.json or \.mjs file/,
    );
    expect((await equitopo(`run ${json} --resume`)).stderr).toMatch(/--resume needs the folder/);
    expect((await equitopo(`run ${json} --out ${join(folder, "first")}`)).stderr).toMatch(/needs a folder without one/);
  });
});
