/** The contract of `rate --json`, and what a person is told. Values: golden values of the paper's authors' set-up. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, topologies } from "equitopo";
import { describe, expect, it } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();

describe("rate --json", () => {
  it("gives the golden rate of D-EquiStatic, and its basis", async () => {
    const basis = [173, 48, 118, 193, 252, 196, 10, 212, 278];
    const answer = await json(`rate d-equistatic --n 300 --basis ${basis.join()}`);
    expect(answer).toMatchObject({ topology: "d-equistatic", n: 300, bound: null, degree: 9, basis });
    expect(answer.rate).toBeCloseTo(0.708909, 6);
    expect(answer).not.toHaveProperty("periodRate");
  });

  it("takes negative basis indices and the full basis", async () => {
    expect((await json("rate d-equistatic --n 17 --basis -1,2")).basis).toEqual([16, 2]);
    expect(await json("rate od-equidyn --n 17 --basis full --eta 0.5")).toMatchObject({ basis: "full", eta: 0.5 });
  });

  it("gives the bound on beta itself, not on its square", async () => {
    const answer = await json("rate ou-equidyn --n 300 --eta 0.5 --construction euclid");
    expect(answer.rate ** 2).toBeCloseTo(0.504688, 6);
    expect(answer.bound ** 2).toBeCloseTo(2 / 3, 12);
    expect(answer).toMatchObject({ basis: "full", eta: 0.5, construction: "euclid", degree: 1 });
  });

  it("gives the norm of a period and its mean per round for periodic rounds only", async () => {
    const answer = await json("rate one-peer-exp --n 300");
    expect(answer.rate).toBe(1);
    expect(answer.periodNorm).toBeCloseTo(0.1486, 4);
    expect(answer.periodRate).toBeCloseTo(answer.periodNorm ** (1 / 9), 12);
    expect((await json("rate one-peer-exp --n 256")).periodRate).toBe(0);
  });

  it("holds rho against the rate where it was asked for", async () => {
    const answer = await json("rate d-equistatic --n 100 --rho 0.6 --p 0.2 --seed 3");
    expect(answer.bound).toBe(0.6);
    expect(answer.rate).toBeLessThanOrEqual(0.6);
  });

  it("tells the error of an iteration, and takes n = 1e3", async () => {
    const answer = await json("rate grid --n 300 --rows 15 --cols 20");
    expect(answer).toMatchObject({ method: "certified iteration", rows: 15, cols: 20 });
    expect(answer.error).toBeLessThan(1e-10);
    expect((await json("rate ring --n 1e3")).n).toBe(1000);
  });

  it("takes a seed for every family and from a file, whether anything is drawn or not", async () => {
    for (const { name, options } of topologies.filter((family) => family.refuses?.(16) === undefined)) {
      const given = "seed" in options ? { seed: 5 } : {};
      const expected = createTopology({ name, n: 16, ...given }).rate().rate;
      expect([name, (await json(`rate ${name} --n 16 --seed 5`)).rate]).toEqual([name, expected]);
      expect((await equitopo(`graph ${name} --n 16 --seed 5`)).status).toBe(0);
    }
  });

  it("is never above 1, whatever rounding an iteration leaves", async () => {
    // Nobody talks to anybody, and everybody hands on all to the next: symmetric and directed, both of norm 1.
    const alone = { n: 16, self: Array(16).fill(1), edges: [] };
    const cycle = { n: 20, self: Array(20).fill(0), edges: Array.from({ length: 20 }, (_, i) => [i, (i + 1) % 20, 1]) };
    for (const graph of [alone, cycle]) {
      const path = join(folder, `${graph.n}.json`);
      writeFileSync(path, JSON.stringify({ round: 0, ...graph }));
      const { rate } = await json(`rate --file ${path} --seed 3`);
      expect(rate).toBeLessThanOrEqual(1);
      expect(rate).toBeCloseTo(1, 12);
    }
  });

  it("agrees with the library on every family", async () => {
    for (const { name } of topologies.filter((family) => family.refuses?.(16) === undefined)) {
      const { rate, degree } = await json(`rate ${name} --n 16`);
      const topology = createTopology({ name, n: 16 });
      expect([name, rate, degree]).toEqual([name, topology.rate().rate, topology.maxDegree]);
    }
  });
});

describe("rate --rounds and --gains", () => {
  it("give the norm of a product and what learning feels", async () => {
    const answer = await json("rate de-bruijn --n 300 --p 7 --rounds 4 --gains");
    expect(answer).toMatchObject({ rounds: 4, normMethod: "closed form", asymptotic: 1 / 7 });
    expect(answer.norm).toBeCloseTo(7 ** -4, 12);
    expect(answer.predicted).toEqual({ rounds: 8, method: "exact product", tolerance: 1e-6 });
    expect(answer.gains).toMatchObject({ method: "exact" });
    const quick = await json("rate de-bruijn --n 300 --p 7");
    expect(quick).not.toHaveProperty("gains");
    expect(quick).not.toHaveProperty("norm");
  });

  it("are those of mean squares for random rounds, and null where nobody agrees", async () => {
    const answer = await json("rate od-equidyn --n 300 --rounds 3");
    expect(answer).toMatchObject({ rounds: 3, normMethod: "mean square" });
    expect(answer.norm).toBeCloseTo(answer.rate ** 3, 12);
    expect(answer.gains.worst).toBeCloseTo(1.7224, 4);
    const apart = await json("rate d-equistatic --n 6 --basis 2,4");
    expect(apart.parts).toBe(2);
    expect(apart.predicted.rounds).toBeNull();
    expect(apart.gains).toMatchObject({ rms: null, worst: null, noise: null });
  });

  it("refuses what is no number of rounds", async () => {
    expect((await equitopo("rate ring --n 9 --rounds 0")).stderr).toMatch(/rounds must be an integer of at least 1/);
  });

  it("says in words what a norm near 1 hides", async () => {
    const { stdout } = await equitopo("rate de-bruijn --n 64 --p 4 --rounds 3");
    expect(stdout).toMatch(/rounds +3 /);
    expect(stdout).toMatch(/norm +0.* norm of the product of 3 rounds/);
    expect(stdout).toMatch(/gain +0\.\d{3} .*worst .*noise .*exact/);
  });
});

describe("rate --plot", () => {
  it("draws by the file's ending, and says where", async () => {
    const svg = join(folder, "ring.svg");
    const { stdout, stderr } = await equitopo(`rate ring --n 12 --plot ${svg}`);
    expect([stdout.includes("rate"), stderr]).toEqual([true, `spectrum drawn to ${svg}\n`]);
    expect(readFileSync(svg, "utf8")).toContain("Ring, n = 12: eigenvalues of W");
    const png = join(folder, "ring.png");
    expect((await json(`rate ring --n 12 --plot ${png}`)).plot).toBe(png);
    expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  });

  it("refuses what it cannot draw before it computes, and writes nothing", async () => {
    for (const [words, rule] of [
      [`ring --n 12 --plot ${join(folder, "x.eps")}`, "must end in .svg, .png, .pdf"],
      [`grid --n 10000 --plot ${join(folder, "x.svg")}`, "no closed form"],
      [`ceca-1p --n 12 --plot ${join(folder, "x.svg")}`, "two vectors"],
    ]) {
      const { status, stdout, stderr } = await equitopo(`rate ${words}`);
      expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(rule)]);
    }
    expect(existsSync(join(folder, "x.svg"))).toBe(false);
  });
});

describe("rate in words", () => {
  it("has the digits of 1 - beta where beta rounds to 1", async () => {
    const { stdout } = await equitopo("rate ring --n 1e9");
    // (2/3) (1 - cos(2 pi / n)) = (4/3) (pi / n)^2
    expect(stdout).toMatch(/rate +1 - 1\.32e-17 /);
    expect(stdout).toMatch(/eigenvalues +1 - 1\.32e-17 +the largest beside 1; /);
    expect(stdout).toMatch(/rounds +1\.05e\+18 /);
    const { gap } = await json("rate torus --n 1e5 --rows 1");
    expect(gap / ((4 / 3) * (Math.PI / 1e5) ** 2)).toBeCloseTo(1, 8);
  });

  it("says at once that a graph is in parts", async () => {
    const { status, stderr } = await equitopo("rate d-equistatic --n 6 --basis 2,4");
    expect([status, stderr]).toEqual([
      0,
      "d-equistatic is not connected: 2 parts, which never agree with each other\n",
    ]);
  });

  it("says what a rate of random rounds is", async () => {
    const { stdout, stderr } = await equitopo("rate od-equidyn --n 300 --eta 0.5");
    expect(stdout).toMatch(/rate +0\.705927 +root of the exact mean-square factor/);
    expect(stdout).toMatch(/bound +0\.707107/);
    expect(stderr).toBe("");
  });

  it("says what the rates of periodic rounds are", async () => {
    const { stdout } = await equitopo("rate one-peer-exp --n 300");
    expect(stdout).toMatch(/rate +1 +norm of Pi W\(t\) in the worst round/);
    expect(stdout).toMatch(/periodRate +0\.809078 +geometric mean per round over one period/);
    expect(stdout).toMatch(/rounds +71 .*predicted from the exact product/);
    expect((await equitopo("rate static-exp --n 300")).stdout).not.toContain("period");
  });
});

describe("rate --seeds", () => {
  it("has the mean over draws, its deviations, and every draw", async () => {
    const { rate, degree, draws } = await json("rate u-equistatic --n 60 --m 3 --seeds 1..8");
    expect(rate).toEqual({
      seeds: [1, 2, 3, 4, 5, 6, 7, 8],
      ...{ mean: expect.closeTo(0.947, 4), sd: expect.any(Number), se: expect.closeTo(rate.sd / Math.sqrt(8), 14) },
    });
    expect([degree.mean, draws[0].rate.toFixed(4)]).toEqual([5.5, "0.9214"]);
    const { stdout } = await equitopo("rate u-equistatic --n 60 --m 3 --seeds 1..8");
    expect(stdout).toMatch(/rate +0\.946962 +mean of 8 seeds, each exact; /);
  });

  it.each([
    ["ring --n 9", /^error: --seeds is for topologies that are drawn, got "ring"/],
    ["od-equidyn --n 9 --rounds 2", /^error: --rounds is of one graph, and --seeds has several/],
  ])("refuses %s", async (more, message) => {
    const { status, stderr } = await equitopo(`rate ${more} --seeds 1..3`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
