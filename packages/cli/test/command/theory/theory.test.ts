/** `theory`: the library's numbers for a topology, and the paper's tables. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProblem, createTopology } from "equitopo";
import {
  convergence,
  estimateConstants,
  networkRate,
  theoryMethods,
  theoryTable,
  theoryTableNames,
} from "equitopo/theory";
import { describe, expect, it } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();

describe("theory of a topology", () => {
  it("gives each method's terms and transient iterations from the exact rate", async () => {
    const answer = await json(
      "theory --n 300 --topology ou-equidyn --construction euclid --sigma 2 --b 0.5 --kappa 10",
    );
    const { beta } = networkRate(createTopology({ name: "ou-equidyn", n: 300, construction: "euclid" }));
    expect(answer).toMatchObject({ topology: "ou-equidyn", n: 300, beta, sigma: 2, b: 0.5, kappa: 10, from: "round" });
    expect(answer.methods.map(({ method }: { method: string }) => method)).toEqual(theoryMethods);
    for (const { method, transientIterations, limitedBy, terms } of answer.methods) {
      const expected = convergence(method, { n: 300, beta, sigma: 2, b: 0.5, kappa: 10 });
      expect([transientIterations, limitedBy]).toEqual([expected.transientIterations, expected.limitedBy]);
      expect(terms).toHaveLength(expected.terms.length);
      expect(terms[0]).not.toHaveProperty("value");
    }
  });

  it("gives every term after T iterations", async () => {
    const { beta, methods, T } = await json("theory --n 20 --topology ring --T 1e4");
    expect(T).toBe(10_000);
    for (const { method, value, terms } of methods) {
      const expected = convergence(method, { n: 20, beta });
      expect(value).toBe(expected.at(10_000));
      expect(terms.map((term: { value: number }) => term.value)).toEqual(expected.terms.map((term) => term.at(10_000)));
    }
  });

  it("is infinite where the rate is 1, in JSON null", async () => {
    const path = join(folder, "alone.csv");
    writeFileSync(path, "1,0\n0,1\n");
    const { methods } = await json(`theory --file ${path}`);
    expect(methods[0].transientIterations).toBeNull();
    const { stdout } = await equitopo(`theory --file ${path}`);
    expect(stdout).toContain("no end of the transient");
    expect(stdout).toMatch(/^noise .* never$/m);
  });

  it("says in words where beta comes from and what limits", async () => {
    const { stdout } = await equitopo("theory --n 256 --topology one-peer-exp --T 1e5");
    expect(stdout).toContain("beta = 0.875000, from the norm of a period of 8 rounds");
    expect(stdout).toMatch(/^heterogeneity .* 4\.0e\+10 +1\.70e-3$/m);
    expect(stdout).toContain("transient iterations: 14,336, because of the heterogeneity term");
    expect((await equitopo("theory --n 9 --topology complete")).stdout).toContain("transient iterations: 0\n");
  });
});

describe("theory --beta", () => {
  it("takes the theorems at their word, or a period's geometric mean, or a number", async () => {
    const beta = async (words: string) => {
      const { beta, from } = await json(`theory --n 256 --topology one-peer-exp ${words}`);
      return [beta, from];
    };
    expect(await beta("")).toEqual([0.875, "period"]);
    expect(await beta("--beta round")).toEqual([1, "round"]);
    expect(await beta("--beta period")).toEqual([0.875, "period"]);
    expect((await beta("--beta geometric-mean"))[1]).toBe("geometric-mean");
    expect(await beta("--beta 0.25")).toEqual([0.25, "given"]);
  });

  it("needs no topology where it is a number", async () => {
    const { methods, topology } = await json("theory --n 20 --beta 0.5");
    expect(topology).toBeUndefined();
    expect(methods[0].transientIterations).toBe(
      convergence("dsgd-nonconvex", { n: 20, beta: 0.5 }).transientIterations,
    );
    expect((await equitopo("theory --n 20 --beta 0.5")).stdout).toMatch(
      /^any network, n = 20, .*\nbeta = 0.500000, as given$/m,
    );
  });

  it("is that of the periodic rows in a table", async () => {
    const betas = async (words: string) =>
      (await json(`theory table-dsgt --n 32 ${words}`)).rows.map(
        (row: { numbers: { beta: number }[] }) => row.numbers[0].beta,
      );
    const [before, after] = [await betas(""), await betas("--beta round")];
    expect(after[3]).toBe(1);
    expect(before[3]).toBe(0.8);
    expect(after.filter((_: number, k: number) => k !== 3)).toEqual(before.filter((_: number, k: number) => k !== 3));
  });
});

describe("theory --problem", () => {
  it("estimates sigma, b and kappa, which the flags override", async () => {
    const { sigma, b, kappa, problem } = await json("theory --n 20 --topology ring --problem least-squares");
    const expected = estimateConstants(createProblem({ name: "least-squares", n: 20 }));
    expect({ sigma, b, kappa }).toEqual({ sigma: expected.sigma, b: expected.b, kappa: expected.kappa });
    expect(problem).toMatchObject({ name: "least-squares", n: 20, method: "exact", L: expected.L, mu: expected.mu });
    const other = await json("theory --n 20 --topology ring --problem least-squares --b 0 --kappa 3");
    expect([other.sigma, other.b, other.kappa]).toEqual([expected.sigma, 0, 3]);
  });

  it("reads problem and topology from a spec", async () => {
    const path = join(folder, "spec.json");
    const topologies = [{ name: "ou-equidyn", n: 12 }];
    writeFileSync(
      path,
      JSON.stringify({ topologies, algorithms: [{ name: "dsgt" }], problem: { name: "logistic", R: 0 } }),
    );
    const { stdout } = await equitopo(`theory --problem ${path}`);
    expect(stdout).toMatch(/^ou-equidyn, n = 12, sigma = /);
    expect(stdout).toMatch(
      /^logistic over 12 nodes: sigma = .*\n\(estimated where gradient descent arrives, L within /m,
    );
    const { status, stderr } = await equitopo(`theory --problem ${path} --topology ring --n 13`);
    expect([status, stderr]).toEqual([2, "error: the topology must have the problem's 12 nodes, got 13; try --n 12\n"]);
  });
});

describe("theory tables", () => {
  it.each(theoryTableNames)("%s is the library's, for the n asked for", async (name) => {
    const { caption, method, rows } = await json(`theory ${name} --n 10,100 --sigma 2 --seed 1`);
    const expected = theoryTable(name, { n: [10, 100], sigma: 2, b: 1, kappa: 1, seed: 1 });
    expect({ name, caption, method, rows }).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it("prints the asymptotic forms beside the numbers", async () => {
    const { stdout } = await equitopo("theory table-dsgd-nonconvex --n 256");
    expect(stdout).toMatch(/^ring +Theta\(1\) +O\(n\^11\) +2 +0\.999799 +\S+$/m);
    expect(stdout).toMatch(/^od-equidyn +1 +O\(n\^3\) +1 +0\.705719 +\S+$/m);
    expect(stdout).toMatch(/^OD \(OU\)-EquiDyn +sigma\/sqrt\(nT\) \+ /m);
    expect((await equitopo("theory table-dsgt")).stdout).toMatch(/n = 16 .*n = 64\s[\s\S]*n = 256 .*n = 1,024/);
  });

  it("takes the number of basis graphs", async () => {
    const { rows } = await json("theory table-dsgt --n 100 --m 12");
    expect(rows[4].numbers[0].spec.basis).toHaveLength(12);
  });
});

describe("theory refuses", () => {
  const cases: [string, RegExp][] = [
    ["", /^error: theory speaks of a topology or of a table, got "neither"; give --topology NAME, or one of /],
    ["table-dsg", /^error: a table must be one of .*, got "table-dsg"; did you mean table-dsgt\?\n$/],
    ["ring --n 9", /^error: a table must be one of .*, got "ring"; for a topology, give --topology NAME\n$/],
    ["--n 9,10 --topology ring", /^error: a topology has one --n, got "9,10"; try --n 9\n$/],
    ["--topology ring", /^error: --n, the number of nodes, must be given/],
    ["--n 9 --topology rng", /got "rng"; did you mean ring\?\n$/],
    ["--n 9 --topology ring --sigma 0", /^error: sigma must be above 0, got 0; /],
    ["--n 9 --topology ring --kappa 0.5", /^error: kappa must be at least 1, got 0.5; /],
    ["--n 9 --topology ring --beta 2", /^error: beta must lie in \[0, 1\], got 2; /],
    ["--n 9 --topology ring --beta worst", /^error: beta must be a number, got "worst"; try --beta 0.7\n$/],
    [
      "--n 9 --topology ring --beta period",
      /^error: beta from a period needs a periodic topology, got 1; leave it out\n$/,
    ],
    ["table-dsgt --beta 0.5", /^error: a table takes --beta round, period or geometric-mean, got 0.5; /],
    ["--n 9 --topology ring --problem least-square", /did you mean least-squares\?\n$/],
    ["--topology ring --problem least-squares", /^error: --n, the number of nodes, must be given/],
    [
      "--n 9 --topology ring --problem none.yaml",
      /^error: the spec must be a file that can be read \(ENOENT\), got "none.yaml"; /,
    ],
    ["--n 9 --topology ring --T 0", /^error: T must be at least 1, got 0; /],
    ["table-dsgt --eta 0.5", /^error: a table takes no such option, got "--eta"; leave out --eta\n$/],
    ["table-dsgt --topology ring", /^error: a table takes no such option, got "--topology"; /],
    ["table-dsgt --n 9,x", /^error: n must be a number or a comma-separated list, got "9,x"; /],
    ["table-dsgt --n 1", /^error: n must be an integer of at least 2, got 1; /],
  ];
  it.each(cases)("%s", async (words, message) => {
    const { status, stdout, stderr } = await equitopo(`theory ${words}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
