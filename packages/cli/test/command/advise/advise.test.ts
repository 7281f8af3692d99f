/** `advise`: the library's ranking in words and JSON, units, and a check that can fail. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { advise, expandSpec } from "equitopo";
import { describe, expect, it } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();
const few = "--topologies od-equidyn,one-peer-exp,base,ring";
const network = "--model-bytes 87k --latency 0.2ms --bandwidth 1Gbit --compute 5ms";

describe("advise", () => {
  it("prints the ranking, why, what was left out, and how to run and check it, in 110 columns", async () => {
    const { status, stdout, stderr } = await equitopo(`advise --n 30 --degree 1 ${few} ${network}`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^n = 30: average to 1e-6, at most 1 peer a round\nvectors of 87.0 kB, 200 us and 125 MB\/s; by time\n/,
    );
    expect(stdout).toMatch(/^all-reduce +1 +1 +\S+ ms +168 kB +exact$/m);
    expect(stdout.replaceAll("\n", " ")).toContain("The paper's graphs are not the best choice here");
    expect(stdout).toContain("Left out: ring (2 peers in a round, more than 1).");
    expect(stdout).toMatch(
      /^To run base k=1: \{"name":"base",.*\}\nTo check: {2}equitopo gossip base --n 30 --rounds \d+ --dim 4$/m,
    );
    for (const line of stdout.split("\n")) if (!line.startsWith("To ")) expect(line.length).toBeLessThanOrEqual(110);
  });

  it("the command that it prints runs, and gets there", async () => {
    const { stdout } = await equitopo(`advise --n 30 --degree 1 ${few}`);
    const command = /^To check: {2}equitopo (.*)$/m.exec(stdout)?.[1] ?? "";
    const { errors } = await json(command);
    expect(errors[errors.length - 1] / errors[0]).toBeLessThan(1e-6);
  });

  it("gives the library's advice as JSON, with the units read", async () => {
    const {
      document,
      checked: _,
      ...printed
    } = await json(`advise --n 12 ${few} ${network} --algorithm dsgt --heterogeneous`);
    const expected = advise({
      ...{ n: 12, modelBytes: 87_000, latency: 2e-4, bandwidth: 1.25e8, compute: 5e-3 },
      ...{ algorithm: "dsgt", heterogeneous: true },
      topologies: ["od-equidyn", "one-peer-exp", "base", "ring"],
    });
    expect(printed).toEqual(JSON.parse(JSON.stringify({ ...expected })));
    expect(expandSpec(document)[0].algorithm.name).toBe("dsgt");
  });

  it("--check measures what was predicted", async () => {
    const { checked } = await json(`advise --n 30 --degree 1 ${few} --check`);
    expect(checked).toHaveLength(3);
    for (const { holds, measured, predicted } of checked) {
      expect(holds).toBe(true);
      expect(measured).toBeLessThanOrEqual(1.5 * predicted);
    }
    expect((await equitopo(`advise --n 30 --degree 1 ${few} --check`)).stdout).toMatch(/^base k=1 +\d+ +\d+ +holds$/m);
  });

  it("exits with 1 where a check fails: a ring takes too long to run", async () => {
    const { status, stdout } = await equitopo("advise --n 400 --topologies ring --algorithm nids --check");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ring +\S+ +- +not reached, or too long to run$/m);
  });

  it("--spec writes what `run` takes", async () => {
    const path = join(folder, "advised.json");
    const { stderr } = await equitopo(`advise --n 12 ${few} --algorithm dsgt --spec ${path}`);
    expect(stderr).toBe(`spec written to ${path}\n`);
    const [run] = expandSpec(JSON.parse(readFileSync(path, "utf8")));
    expect([run.algorithm.name, run.problem.name, run.topology.n]).toEqual(["dsgt", "least-squares", 12]);
  });
});

describe("advise refuses", () => {
  const cases: [string, RegExp][] = [
    ["", /^error: --n, the number of nodes, must be given, got nothing; try --n 300\n$/],
    ["--n 1", /^error: n must be an integer of at least 2, got 1; try --n 300\n$/],
    [
      "--n 9 --latency 0.2",
      /^error: latency must be a time with its unit \(s, ms, us, ns\), got "0.2"; try --latency 0.2ms\n$/,
    ],
    ["--n 9 --latency -1ms", /^error: latency must be a time with its unit/],
    [
      "--n 9 --bandwidth 1G",
      /^error: bandwidth must be a speed with its unit, such as 1Gbit, .*, got "1G"; try --bandwidth 1Gbit\n$/,
    ],
    ["--n 9 --bandwidth 0Mbit", /^error: bandwidth must be above 0, got "0Mbit"; /],
    [
      "--n 9 --model-bytes 87q",
      /^error: model-bytes must be a number of bytes, .*, got "87q"; try --model-bytes 87k\n$/,
    ],
    ["--n 9 --algorithm dsgx", /^error: .*did you mean dsgd\?\n$/],
    ["--n 9 --algorithm choco", /^error: choco cannot be advised on: it compresses, got "choco"; /],
    ["--n 9 --by money", /^error: by must be one of time, bytes, got "money"; /],
    ["--n 9 --topologies ringg", /did you mean ring\?\n$/],
    ["--n 9 --loss 1", /^error: loss must lie in \[0, 1\), got 1; /],
  ];
  it.each(cases)("%s", async (words, message) => {
    const { status, stdout, stderr } = await equitopo(`advise ${words}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
