/** `gossip`: one object that equals the library's record, and words that do not hide what happened to the mean. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, gossip, stateHash, topologies } from "equitopo";
import { describe, expect, it, vi } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";
import { all, parseXml } from "../../xml.ts";

const folder = scratch();

describe("gossip --json", () => {
  it("is the library's record, with the hash of the final rows, for every family", async () => {
    for (const { name, options } of topologies.filter(({ refuses }) => refuses?.(16) === undefined)) {
      const { timing, ...answer } = await json(`gossip ${name} --n 16 --dim 3 --rounds 7 --seed 5`);
      const seeded = "seed" in options ? { seed: 5 } : {};
      const record = gossip(createTopology({ name, n: 16, ...seeded }), { d: 3, rounds: 7, seed: 5 });
      const { x, ...measured } = record;
      expect(answer).toMatchObject({ topology: name, n: 16, dim: 3, rounds: 7, seed: 5, type: "float64", ...measured });
      expect([answer.stateHash, answer.errors.length]).toEqual([stateHash(x), 8]);
      expect(Object.keys(timing)).toEqual(["milliseconds", "perRound", "threads"]);
      expect(7 * timing.perRound).toBeLessThanOrEqual(timing.milliseconds);
      expect(answer).not.toHaveProperty("seconds");
    }
  });

  it("hands on every option", async () => {
    const words =
      "--drop 0.2 --start split --crash 3:1:4,5:0 --cut 0-1:2,2-3:0:5 --alpha 1e-3 --beta 1e-8 --push-sum --float32 --every 4 --eta 0.5";
    const { x, ...measured } = gossip(createTopology({ name: "od-equidyn", n: 12, eta: 0.5, seed: 2 }), {
      ...{ d: 2, rounds: 10, seed: 2, drop: 0.2, pushSum: true, type: "float32", every: 4, x0: "split" },
      ...{ crash: [{ node: 3, from: 1, until: 4 }, { node: 5, from: 0 }], cut: [{ pair: [0, 1], from: 2 }, { pair: [2, 3], from: 0, until: 5 }], latency: { alpha: 1e-3, beta: 1e-8 } }, // biome-ignore format: one set of options
    });
    const answer = await json(`gossip od-equidyn --n 12 --dim 2 --rounds 10 --seed 2 ${words}`);
    expect(answer).toMatchObject({ ...measured, stateHash: stateHash(x), pushSum: true, drop: 0.2 });
    expect(answer.recorded).toEqual([0, 4, 8, 10]);
    expect(answer.seconds).toHaveLength(4);
  });

  it("gives the same bytes on any number of threads", async () => {
    const words = "gossip d-equistatic --n 400 --m 5 --dim 100 --rounds 4 --float32";
    const [one, two] = [await json(words), await json(`${words} --threads 2`)];
    expect([one.timing.threads, two.timing.threads]).toEqual([1, 2]);
    expect({ ...two, timing: null }).toEqual({ ...one, timing: null });
    expect((await equitopo(`${words} --threads 2`)).stdout).toContain("ms a round on 2 threads");
  });

  it("takes your own graph, with a seed for the start", async () => {
    const path = join(folder, "pair.csv");
    writeFileSync(path, ".5,.5\n.5,.5\n");
    const first = await json(`gossip --file ${path} --dim 4 --rounds 2 --seed 1`);
    expect(first).toMatchObject({ topology: "custom", n: 2 });
    expect(first.errors[1]).toBeLessThan(1e-15);
    expect((await json(`gossip --file ${path} --dim 4 --rounds 2 --seed 2`)).errors[0]).not.toBe(first.errors[0]);
  });
});

describe("gossip --file in words", () => {
  it.each([
    ["mine.csv", "from,to\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n"],
    ["mine.json", '{"n": 2, "self": [0.99, 0.99], "edges": [[0, 1, 0.01], [1, 0, 0.01]]}'],
    ["matrix.csv", ".99,.01\n.01,.99\n"],
  ])("says what came of %s, as the example of its help has it", async (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const { status, stdout, stderr } = await equitopo(`gossip --file ${path} --rounds 1000 --every 10`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^${name}, n = `));
    expect(stdout).toMatch(/per round +0\.9\d+ +measured; at most 0\.9\d+\n/);
  });
});

describe("gossip --seeds", () => {
  const wanted = "gossip u-equistatic --n 30 --m 3 --dim 4 --rounds 6";

  it("has the runs of all seeds, their mean error and its deviations", async () => {
    const all = await json(`${wanted} --seeds 1..3`);
    const single = await json(`${wanted} --seed 2`);
    expect(all.runs.map(({ seed }: { seed: number }) => seed)).toEqual([1, 2, 3]);
    expect(all.runs[1]).toMatchObject({ stateHash: single.stateHash, errors: single.errors });
    const ends = all.runs.map(({ errors }: { errors: number[] }) => errors[6]);
    expect(all.error.mean).toBeCloseTo((ends[0] + ends[1] + ends[2]) / 3, 14);
    expect(all.error).toEqual({
      seeds: [1, 2, 3],
      mean: all.errors[6].mean,
      sd: all.errors[6].sd,
      se: all.errors[6].se,
    });
  });

  it("says so in words, and draws a band that says what it is", async () => {
    const svg = join(folder, "band.svg");
    const { stdout } = await equitopo(`${wanted} --seeds 3,5 --svg ${svg}`);
    expect(stdout).toMatch(/error +\S+ +after 6 rounds, mean of 2 seeds\n {2}sd /);
    expect(readFileSync(svg, "utf8")).toContain("mean over 2 seeds, band from the lowest to the highest");
    const { status, stderr } = await equitopo(`${wanted} --seeds 3,5 --seed 1`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: --seed and --seeds exclude each other/)]);
  });
});

describe("gossip in words", () => {
  const words = async (more: string) => (await equitopo(`gossip ${more}`)).stdout;

  it("tells error, factor, drift, bytes and a table of the error", async () => {
    const text = await words("od-equidyn --n 300 --rounds 60");
    expect(text).toMatch(/^od-equidyn, n = 300, 100 numbers at each node\n {2}error +\S+ +after 60 rounds; 174\.8 at/);
    expect(text).toMatch(/per round +0\.6\d+ +measured; at most 0\.705923 in mean square\n/);
    expect(text).toMatch(/mean drift +\S+e-1[5-7] +rounding only: every round keeps the mean/);
    expect(text).toMatch(/bytes\/node +48\.0 kB/);
    const bars = [...text.matchAll(/^ +\d+ +\S+ {2}(█+)$/gm)].map(([, bar]) => bar.length);
    expect(bars).toHaveLength(12);
    expect([bars[0], bars[11]]).toEqual([32, 1]);
    expect([...bars].sort((a, b) => b - a)).toEqual(bars);
  });

  it("says what dropped messages did to the mean, and what to do about it", async () => {
    const lost = await words("od-equidyn --n 50 --rounds 80 --drop 0.2");
    expect(lost).toMatch(
      /mean drift +0\.\d+ +messages dropped in directed rounds moved the mean[\s\S]*push-sum repairs\s+it/,
    );
    // The error has stopped at the drift: a factor per round would say nothing.
    expect(lost).not.toContain("per round");
    const repaired = await words("od-equidyn --n 50 --rounds 80 --drop 0.2 --push-sum");
    expect(repaired).toMatch(/mean drift +\S+e-\d+ +.*push-sum keeps the true mean/);
    expect(repaired).toMatch(/per round .*if nothing failed/);
    const undirected = await words("ou-equidyn --n 50 --rounds 80 --drop 0.2");
    expect(undirected).toMatch(/mean drift +\S+e-1[5-7] +rounding only: an exchange fails on both sides/);
  });

  it("computes no rate that would take longer than the run", async () => {
    expect(await words("grid --n 40000 --rounds 1 --dim 1")).toContain("measured; `equitopo rate` has the exact one");
  });

  it("says that the error counts a node that is gone, and only such a one", async () => {
    expect(await words("ou-equidyn --n 20 --crash 3:5")).toMatch(/crashed for\s+good/);
    expect(await words("ou-equidyn --n 20 --crash 3:5:9")).not.toContain("crashed");
  });

  it("sets whole periods beside periodic rounds, and the time beside a latency", async () => {
    const text = await words("one-peer-exp --n 300 --rounds 20 --alpha 0.5");
    expect(text).toContain("at most 0.809078 over whole periods");
    expect(text).toMatch(/simulated +10 s/);
    expect(await words("complete --n 30 --rounds 1")).not.toContain("per round ");
  });
});

describe("gossip --svg and --png", () => {
  it("draws the error and, dashed, what the rate promises", async () => {
    const [svg, png] = ["curve.svg", "curve.png"].map((name) => join(folder, name));
    const { stderr, stdout } = await equitopo(
      `gossip one-peer-exp --n 24 --rounds 20 --svg ${svg} --png ${png} --drop 0.1 --json`,
    );
    expect(stderr).toBe(`figure written to ${svg} and ${png}\n`);
    expect(JSON.parse(stdout).errors).toHaveLength(21);
    const drawn = all(parseXml(readFileSync(svg, "utf8").trim()), (one) => one.attributes["class"] === "series");
    expect(drawn.map((one) => one.attributes["data-series"])).toEqual(["measured", "predicted, at most"]);
    expect(readFileSync(svg, "utf8")).toContain("10 % of messages dropped");
    expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  });

  it("refuses a file in no folder before it runs", async () => {
    const path = join(folder, "none", "a.svg");
    const { status, stdout, stderr } = await equitopo(`gossip ring --n 9 --rounds 5 --svg ${path}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: the file must be writable \(ENOENT\), got .*; check that its folder exists/);
  });
});

it("tells of more rounds than a function has arguments", async () => {
  const svg = join(folder, "long.svg");
  const { status, stdout, stderr } = await equitopo(`gossip ring --n 3 --dim 1 --rounds 200000 --svg ${svg}`);
  expect([status, stderr]).toEqual([0, `figure written to ${svg}\n`]);
  expect(stdout).toMatch(/^200,000 /m);
});

describe("gossip refuses", () => {
  const cases: [string, RegExp][] = [
    ["ring --n 9 --rounds -1", /^error: rounds must be an integer of at least 0, got -1; /],
    ["ring --n 9 --dim 0", /^error: dim must be an integer of at least 1, got 0; /],
    ["ring --n 9 --every 0", /^error: every must be an integer of at least 1, got 0; /],
    ["ring --n 9 --drop 1.5", /^error: drop must lie in \[0, 1\], got 1\.5; /],
    ["ring --n 9 --crash 3", /^error: crash must be a list of node:from or node:from:to, got "3"; /],
    ["ring --n 9 --start halves", /^error: start must be one of normal, sorted, split, one, got "halves"/],
    ["ring --n 9 --cut 3:1", /^error: cut must be a list of i-j:from or i-j:from:to, got "3:1"; /],
    ["ring --n 9 --cut 3-3:1", /^error: the pair of a cut must be two different nodes, got /],
    ["ring --n 9 --crash 9:0", /^error: the node of a crash must be an integer from 0 to 8, got 9; /],
    ["ring --n 9 --crash 1:5:5", /^error: until must lie after from = 5, got 5; /],
    ["ring --n 9 --alpha -1", /^error: alpha must be at least 0, got -1; /],
    ["ring --n 9 --threads 0", /^error: threads must be an integer of at least 1, got 0; /],
    ["--n 9", /^error: a topology must be named, got nothing; /],
  ];
  it.each(cases)("%s", async (words, message) => {
    const { status, stdout, stderr } = await equitopo(`gossip ${words}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("says beforehand", () => {
  it("that a graph is in parts", async () => {
    const { stderr } = await equitopo("gossip d-equistatic --n 6 --basis 2,4 --rounds 2");
    expect(stderr).toContain("not connected: 2 parts");
  });

  it("that the machine has too little memory", async () => {
    const { status, stderr } = await equitopo("gossip ring --n 1e9 --dim 1e6");
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: the work must fit into this machine's /)]);
  });

  it("nothing of a rate where a period is exact", async () => {
    const { stdout } = await equitopo("gossip one-peer-exp --n 256 --rounds 8 --dim 2");
    expect(stdout).toContain("measured; the mean is exact after 8 rounds");
  });
});

it("ends at Ctrl-C with a message, exit code 130 and nothing written", async () => {
  const before = readdirSync(folder);
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const listeners = process.listenerCount("SIGINT");
  try {
    const running = equitopo(`gossip ring --n 1000 --dim 100 --rounds 1000000 --svg ${join(folder, "never.svg")}`);
    while (process.listenerCount("SIGINT") === listeners) await new Promise((resolve) => setTimeout(resolve, 1));
    process.emit("SIGINT");
    const { stdout, stderr } = await running;
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^\ninterrupted after round \d+ of 1000000; nothing was written\n/);
    expect(exit).toHaveBeenCalledWith(130);
  } finally {
    exit.mockRestore();
  }
  expect(process.listenerCount("SIGINT")).toBe(listeners);
  expect(readdirSync(folder)).toEqual(before);
});
