/**
 * equitopo.torch over gloo ranks, forked after one import of torch: the simulator's rows to the bit, optimisers and averager
 * against one process that holds all models, what torch alone would hang or abort in, and the examples as they are written.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTopology, planOf, type TopologySpec } from "equitopo";
import { applyRound } from "equitopo/round";
import { afterAll, describe, expect, it } from "vitest";
import { spawned } from "../../cli/test/command.ts";
import { environment, notRun, packageRoot, pythonWith } from "./python.ts";

const modules = ["numpy", "torch"];
const python = pythonWith(...modules);
if (python === undefined) notRun("equitopo.torch", modules);
const folder = mkdtempSync(join(tmpdir(), "equitopo-torch-"));
afterAll(() => rmSync(folder, { recursive: true }));
// Ranks share few cores, and talk on this machine only.
const env = { ...environment, OMP_NUM_THREADS: "1", GLOO_SOCKET_IFNAME: "lo", EQUITOPO_DATA: undefined };

const specs: readonly TopologySpec[] = [
  { name: "od-equidyn", n: 8 },
  { name: "od-equidyn", n: 8, eta: 0.3, seed: 5 },
  { name: "ou-equidyn", n: 8, construction: "greedy" },
  { name: "ou-equidyn", n: 8, construction: "euclid", eta: 0.3 },
  { name: "u-equistatic", n: 8, m: 2 },
  { name: "erdos-renyi", n: 8 },
  { name: "base", n: 8, relabel: true },
  { name: "random-matching", n: 8 },
  { name: "one-peer-exp", n: 8, order: "random" },
  { name: "complete", n: 8 },
  { name: "complete", n: 8, lazy: true },
  { name: "el-local", n: 8, s: 2 },
  { name: "matcha", n: 8, graph: { name: "torus" } },
  { name: "ceca-2p", n: 8 },
  { name: "hierarchy", n: 8, groups: [4, 4], between: { name: "ring" } },
  {
    name: "hierarchy",
    n: 8,
    groups: [
      [0, 7, 3],
      [1, 2],
      [4, 5, 6],
    ],
    between: { name: "static-exp" },
  },
  { name: "hierarchy", n: 8, groups: [2, 2, 2, 2], between: { name: "complete" } },
];

/** Eight rows, what rounds `first` on make of them, and the plan that Python is to do the same by. */
function vector(spec: TopologySpec, Kind: typeof Float32Array | typeof Float64Array, first: number) {
  const graph = createTopology(spec);
  const d = 301;
  const rounds = 20;
  let rows = new Kind(graph.n * d).map((_, k) => Math.sin(1 + k * k) * 10 ** (k % 7));
  const start = bytes(rows);
  if (graph.pair !== undefined) rows = wholePeriod(graph, rows);
  else for (let t = first; t < first + rounds; t++) rows = applyRound(graph.round(t), rows, rows.slice());
  const dtype = Kind === Float32Array ? "<f4" : "<f8";
  return { plan: planOf(graph), dtype, first, rounds, start, end: bytes(rows) };
}

/** The rule of two vectors (CECA), over the rounds of a period: z begins as x. */
function wholePeriod<T extends Float32Array | Float64Array>(graph: ReturnType<typeof createTopology>, given: T): T {
  const d = given.length / graph.n;
  const [x, z] = [given.slice() as T, given.slice() as T];
  for (let t = 0; t < graph.period!; t++) {
    const pair = graph.pair!(t);
    const sent = (pair.sends === "x" ? x : z).slice();
    for (let i = 0; i < graph.n; i++) {
      const [from] = graph.peers(t, i).from;
      for (let k = 0; k < d; k++) {
        const at = i * d + k;
        if (from === undefined) {
          if (pair.z.own === 0) z[at] = x[at];
          continue;
        }
        const heard = sent[from.node * d + k];
        [x[at], z[at]] = [pair.x.own * x[at] + pair.x.heard * heard, pair.z.own * z[at] + pair.z.heard * heard];
      }
    }
  }
  return x;
}

const bytes = (rows: Float32Array | Float64Array) => Buffer.from(rows.buffer).toString("base64");

function tests(file: string, more: Readonly<Record<string, string>> = {}) {
  const run = spawnSync(python!, ["-m", "unittest", file], {
    ...{ cwd: join(packageRoot, "tests/torch_tests"), env: { ...env, ...more }, encoding: "utf8", timeout: 240_000 },
  });
  expect(run.stderr).toMatch(/^OK/m);
  expect(run.status, run.stderr).toBe(0);
  return run.stderr;
}

describe.skipIf(python === undefined)("equitopo.torch", { timeout: 250_000 }, () => {
  it("gives eight ranks the simulator's rows, bit for bit", () => {
    const file = join(folder, "vectors.json");
    const cases = [Float32Array, Float64Array].flatMap((Kind) => specs.map((spec, k) => vector(spec, Kind, 3 * k)));
    writeFileSync(file, JSON.stringify(cases));
    expect(tests("test_bits", { EQUITOPO_VECTORS: file })).not.toContain("skipped");
  });

  it.each(["test_optimizers", "test_outer", "test_safety"])("%s", (file) => {
    tests(file);
  });

  it.each([
    [4, "mnist_dsgd.py", [], /right on (9\d|100)\.\d\d% of 1000 images, models apart by 0\.\d+/],
    [4, "local_adamw.py", [], /^60 outer steps, 120 rounds: loss of the mean model 0\.0\d+, apart by 0\.\d+/],
    [8, "ddp_inside.py", ["--steps", "40"], /models apart by 0\.\d*[1-9]\d* between machines, 0\.0000 inside one/],
    [4, "from_bluefog.py", ["--epochs", "3"], /Accuracy: (9\d|100)\./],
  ] as const)("an example: %i ranks of %s", (ranks, script, words, shown) => {
    const run = spawnSync(python!, ["-m", "equitopo.torch.launch", String(ranks), script, ...words], {
      ...{ cwd: join(packageRoot, "examples"), env, encoding: "utf8", timeout: 120_000 },
    });
    expect(run.stderr.replace(/^.*Warning.*\n.*\n/gm, "")).toBe("");
    expect(run.stdout).toMatch(shown);
  });

  it("a script that fails ends its ranks, and says which", () => {
    const script = join(folder, "fails.py");
    writeFileSync(script, "import os, sys, time\nif os.environ['RANK'] == '1': sys.exit(3)\ntime.sleep(60)\n");
    const run = spawnSync(python!, ["-m", "equitopo.torch.launch", "3", script], { env, encoding: "utf8" });
    expect([run.status, run.stderr]).toEqual([3, "rank 1 ended with 3; the others are ended, too\n"]);
  });

  it("a run's folder becomes numbers, and a figure where matplotlib is", () => {
    const out = join(folder, "run");
    const words = `train synthetic --nodes 4 --epochs 2 --images 300 --quiet --out ${out}`;
    expect(spawned(words)).toMatchObject({ status: 0 });
    const figure = join(folder, "run.png");
    const run = spawnSync(python!, [join(packageRoot, "examples/plot_run.py"), out, figure], { env, encoding: "utf8" });
    expect(run.stdout).toMatch(/train-averaged-accuracy, od-equidyn: 2 points, [01]\.?\d* after \d+ updates/);
    if (pythonWith("matplotlib") === python) {
      expect(readFileSync(figure).subarray(1, 4).toString()).toBe("PNG");
    } else expect([existsSync(figure), run.stderr]).toEqual([false, expect.stringContaining("matplotlib")]);
  });
});
