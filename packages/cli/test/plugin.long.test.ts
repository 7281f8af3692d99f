/** The guides to members of your own as they stand: their programs are written to a folder, their commands run there. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { algorithms, problems, topologies } from "equitopo";
import { algorithmLaws, problemLaws, topologyLaws } from "equitopo/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugin } from "../src/plugin.ts";
import { equitopo, parsed, spawned } from "./command.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = ["your-own-topology", "your-own-algorithm", "your-own-problem", "your-own-model", "plugins"];
const page = pages.map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8")).join("\n");
// Inside the repository, where `import "equitopo"` finds it.
const folder = join(root, "node_modules/.cache/equitopo-plugins");

/** The fenced blocks of a language. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, text]) => text);

const commands = blocks("sh").flatMap((text) => text.trim().split("\n"));

const run = (words: string) => spawned(words, "", folder);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const text of [...blocks("js"), ...blocks("yaml")]) {
    const name = /^(?:\/\/|#) (\S+)/.exec(text)?.[1];
    if (name === undefined) throw new Error(`a program without a name: ${text.slice(0, 40)}`);
    writeFileSync(join(folder, name), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the commands of the guides", { timeout: 240_000 }, () => {
  it.each(commands)("%s", (command) => {
    const { status, stderr } = run(`${command.replace(/^equitopo /, "")} --quiet`);
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("are there for each kind", () => {
    expect(commands.length).toBeGreaterThanOrEqual(12);
  });
});

describe("a plug-in's members", { timeout: 240_000 }, () => {
  const result = (name: string) => JSON.parse(readFileSync(join(folder, "runs", name, "result.json"), "utf8"));

  it("are listed, take options, and are refused as others are", () => {
    const { stdout } = run("list --plugin cliques.mjs");
    expect(stdout).toMatch(/^cliques +undirected, static, .* --size/m);
    const { rate, degree, size } = parsed(run("rate cliques --n 16 --plugin cliques.mjs --json"));
    expect([degree, size]).toEqual([4, 4]);
    expect(rate).toBeLessThan(1);
    expect(run("rate cliques --n 18 --plugin cliques.mjs").stderr).toMatch(/^error: n must be a multiple of size = 4/);
    expect(run("rate ring --n 18 --size 3 --plugin cliques.mjs").stderr).toMatch(/--size is an option of .*, cliques/);
    expect(run("rate clique --n 16 --plugin cliques.mjs").stderr).toMatch(/did you mean cliques\?/);
    expect(run("rate cliques --n 16").stderr).toMatch(/topology must be one of/);
  });

  it("have a colour and a marker of their own in figures", () => {
    const words = "compare --n 16 --topologies cliques,ring --plugin cliques.mjs --svg compare.svg --quiet";
    expect(run(words).status).toBe(0);
    const svg = readFileSync(join(folder, "compare.svg"), "utf8");
    expect(svg).toContain("cliques");
  });

  it("compute: the leading eigenvector is found by all nodes, several hops per iteration", () => {
    const { runs } = result("power");
    expect(runs[0].metrics.angle).toBeLessThan(1e-9);
    expect(runs[0]).toMatchObject({ algorithm: "power-iteration", updates: 80 });
    const { runs: small } = result("small");
    expect(small[0].bytesPerNode).toBe(2 * 50 * 10 * 4);
  });

  it("give the same rows in the simulator and on real peers", () => {
    const [simulated, real] = [result("targets"), result("targets-threads")];
    expect(simulated.runs[0].metrics.error).toBeLessThan(1e-6);
    expect(real.runs[0].stateHash).toBe(simulated.runs[0].stateHash);
  });

  it("are part of the run: their hash stands in spec.json, and --resume with a changed file is refused", () => {
    const spec = readFileSync(join(folder, "runs/power/spec.json"), "utf8");
    expect(spec).toMatch(/"plugins":\s*\[\s*"[0-9a-f]{64}"/);
    const path = join(folder, "power.mjs");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}// changed\n`);
    try {
      const { status, stderr } = run("run power.yaml --out runs/power --resume");
      expect(status).toBe(2);
      expect(stderr).toMatch(/^error: /);
    } finally {
      writeFileSync(path, text);
    }
  });

  it("learn: a network of your own tells most digits after an epoch", () => {
    const { stateHash, runs } = result("wide");
    expect(runs[0].metrics.averagedAccuracy).toBeGreaterThan(0.8);
    const { status, stderr } = run("run wide.yaml --transport threads --out runs/wide-threads --quiet");
    expect([status, stderr]).toEqual([0, ""]);
    expect(result("wide-threads").stateHash).toBe(stateHash);
  });

  it("run as real peers, with the simulator's bits", () => {
    const { stateHash } = result("power");
    expect(result("post").stateHash).toBe(stateHash);
    for (const transport of ["threads", "tcp"]) {
      const { status, stderr } = run(`run power.yaml --transport ${transport} --out runs/${transport} --quiet`);
      expect([status, stderr]).toEqual([0, ""]);
      expect(result(transport).stateHash).toBe(stateHash);
    }
  });

  it("may be pinned", () => {
    writeFileSync(
      join(folder, "pinned.json"),
      JSON.stringify({ plugins: [{ file: "small.mjs", sha256: "0".repeat(64) }], rounds: 1 }),
    );
    expect(run("run pinned.json").stderr).toMatch(/^error: .*small\.mjs must be the plug-in of SHA-256 0000/);
  });

  it("objects in a spec run here, and only here", () => {
    expect(result("pair").runs[0].metrics.loss).toBeLessThan(1e-9);
    expect(run("run pair.mjs --workers 2").stderr).toMatch(/--workers needs a spec of names/);
    expect(run("run pair.mjs --transport threads").stderr).toMatch(/a real peer cannot do objects/);
    expect(run("worker pair.mjs --rank 0 --hosts x").stderr).toMatch(/a worker needs a spec of names/);
  });

  it("keep the laws", async () => {
    await loadPlugin(join(folder, "cliques.mjs"));
    await loadPlugin(join(folder, "power.mjs"));
    const minimising = /bias|exact|without gradients/;
    for (const law of [
      ...topologyLaws(topologies.get("cliques"), { sizes: [8, 12, 16] }),
      ...problemLaws(problems.get("covariance"), { n: 5, loss: "angle" }).filter(
        ({ name }) => !/downhill|records/.test(name),
      ),
      ...algorithmLaws(algorithms.get("power-iteration")).filter(({ name }) => !minimising.test(name)),
    ]) {
      await law.run();
    }
  });
});

describe("a module that is no plug-in", () => {
  it.each([
    ["export const x = 1;", /exports by default an object with some of topologies, algorithms/],
    ["export default { topolgies: [] };", /did you mean topologies\?/],
    ["export default { topologies: {} };", /topologies must be a list/],
    ["export default { topologies: [{ name: 'x' }] };", /topologies\[0\]: a member has a name/],
    ["export default { topologies: [{ name: 'x', options: { a: 1 } }] };", /the option a of x must be made by a maker/],
    ["export default { topologies: [{ name: 'ring', options: {} }] };", /the name of a topology is taken once/],
    ["export default () => { throw new Error('boom'); };", /bad.mjs: a plug-in's function gives its members, .*boom/],
    ["export default async () => { throw 7; };", /gives its members at once, got "a promise"/],
    ["export default async () => ({});", /gives its members at once, got "a promise"/],
    ["import 'nowhere';", /must be a module that can be imported/],
  ])("%s", async (text, message) => {
    // A name of its own: a module is imported once in a process.
    const path = join(mkdtempSync(join(folder, "bad-")), "bad.mjs");
    writeFileSync(path, text);
    const { status, stderr } = await equitopo(`list --plugin ${path}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each(["n", "json", "certificate"])("for a command that has the flag --%s itself", (name) => {
    const text = readFileSync(join(folder, "cliques.mjs"), "utf8").replace("options: { size:", `options: { ${name}:`);
    writeFileSync(join(folder, "bad.mjs"), text);
    const { status, stderr } = run("rate ring --n 8 --plugin bad.mjs");
    expect([status, stderr]).toEqual([2, expect.stringContaining(`a name that rate has no flag for, got "--${name}"`)]);
  });

  it("that is not there", () => {
    expect(run("list --plugin nowhere.mjs").stderr).toMatch(/a plug-in must be a file that can be read/);
  });
});
