/** What all commands share: help, exit codes, one line an error, nothing on stdout when input is bad. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { algorithms, problems, topologies } from "equitopo";
import { describe, expect, it } from "vitest";
import { commands } from "../src/commands.ts";
import { equipped } from "../src/terminal/flags.ts";
import { showBytes, showCount, showFactor, showRate } from "../src/terminal/numbers.ts";
import { addTopologyOptions } from "../src/topology/options.ts";
import { bin, equitopo, json, scratch, spawned } from "./command.ts";

const folder = scratch();

describe("help", () => {
  it("names every command, with examples", async () => {
    const { status, stdout } = await equitopo("--help");
    expect(status).toBe(0);
    for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`${name}.*${summary}`));
    expect(stdout).toContain("Examples:");
  });

  for (const { name, load } of commands) {
    it(`of ${name} mentions its options and gives examples`, async () => {
      const { status, stdout } = await equitopo(`${name} --help`);
      expect(status).toBe(0);
      const command = new Command(name);
      equipped(command, await load());
      for (const { long } of command.options) expect(stdout).toContain(`${long} `);
      for (const word of ["--json", "--quiet", "Examples:", `equitopo ${name}`]) expect(stdout).toContain(word);
      expect((await equitopo(`help ${name}`)).stdout).toBe(stdout);
    });
  }

  it("has an option for every option of every family that can be written on a command line", () => {
    const known = addTopologyOptions(new Command()).options.map((option) => option.attributeName());
    const unwritten = topologies.filter(({ options }) => "degree" in options).map(({ name }) => name);
    // `compare --degree` means another thing; a spec says it.
    expect(unwritten).toEqual(["designed-static"]);
    for (const { options } of topologies) {
      const names = Object.keys(options).filter((name) => name !== "degree");
      expect(known).toEqual(expect.arrayContaining(names));
    }
  });

  it("tells its version", async () => {
    expect((await equitopo("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("list", () => {
  it("names every family", async () => {
    const { topologies: listed } = await json("list");
    expect(listed.map((entry: { name: string }) => entry.name)).toEqual(topologies.names);
    expect(listed[3].options).toContain("construction");
    const { stdout } = await equitopo("list");
    for (const { name, summary } of topologies)
      expect(stdout).toMatch(new RegExp(`^${name} .*${summary.slice(0, 9)}`, "m"));
  });

  it("names every algorithm and problem that a spec may name, with options and what W they need", async () => {
    const { algorithms: methods, problems: tasks } = await json("list");
    expect(methods.map((entry: { name: string }) => entry.name)).toEqual(algorithms.map(({ name }) => name));
    expect(methods[1]).toMatchObject({ name: "dmsgd", needs: "doubly stochastic", options: { momentum: 0.9 } });
    expect(tasks.map((entry: { name: string }) => entry.name)).toEqual(problems.map(({ name }) => name));
    const { stdout } = await equitopo("list");
    for (const { name } of [...algorithms, ...problems]) expect(stdout).toMatch(new RegExp(`^${name} `, "m"));
  });
});

describe("bad input", () => {
  const out = `--out ${join(folder, "out.json")}`;
  const cases: [string, RegExp][] = [
    ["rate ring --n 1", /^error: n must be an integer of at least 2, got 1; try n = 2\n$/],
    ["rate ring --n 2.5", /^error: n must be an integer of at least 2, got 2\.5; try n = 3\n$/],
    ["rate ring --n 1e12", /^error: n must be at most 2147483647, got 1000000000000; /],
    ["rate ring --n abc", /^error: n must be a number, got "abc"; try --n 300\n$/],
    ["rate ring", /^error: --n, .* must be given, got nothing; try --n 300\n$/],
    ["rate od-equidyn --n 17 --eta 0", /^error: eta must lie in \(0, 1\], got 0; try eta = 0\.5\n$/],
    ["rate ou-equidyn --n 17 --eta 1.5", /^error: eta must lie in \(0, 1\], got 1\.5; /],
    ["rate d-equistatic --n 17 --basis 0", /^error: a basis index .*, got 0; /],
    ["rate d-equistatic --n 17 --basis 1,17", /^error: a basis index .*, got 17; /],
    ["rate d-equistatic --n 17 --basis 1,,2", /^error: basis must be .*, got "1,,2"; try --basis 1,2,4\n$/],
    ["rate d-equistatic --n 17 --m 0", /^error: m must be .*, got 0; try m = 1\n$/],
    ["rate hypercube --n 6", /^error: a hypercube needs n to be a power of 2, got 6; try n = 8/],
    [
      "rate d-equistatc --n 17",
      /^error: topology must be one of .*, got "d-equistatc"; did you mean d-equistatic\?\n$/,
    ],
    [
      "rate ring --n 17 --eta 0.5",
      /^error: --eta is an option of od-equidyn, ou-equidyn, got "ring"; leave out --eta\n$/,
    ],
    ["rate ou-equidyn --n 17 --construction eclid", /got "eclid"; did you mean euclid\?\n$/],
    ["rate ring --n 17 --jsn", /^error: rate takes only its own options, got "--jsn"; did you mean --json\?\n$/],
    ["list --colour", /^error: list takes only its own options, got "--colour"; see equitopo help list\n$/],
    ["--colour", /^error: equitopo takes only its own options, got "--colour"; see equitopo help\n$/],
    ["rate", /^error: a topology must be named, got nothing; /],
    ["rate ring --n 17 --file x.csv", /^error: --file takes the place of a topology, got "ring"; /],
    ["rate --file x.csv --eta 0.5", /^error: a graph from a file takes no options, got "--eta"; /],
    ["rate --file missing.csv", /^error: the file must be readable \(ENOENT\), got "missing\.csv"; /],
    ["raet ring --n 17", /^error: the command must be one of .*, rate, .*, got "raet"; did you mean rate\?\n$/],
    ["margulis --n 17", /^error: the command must be one of .*, got "margulis"; see equitopo help\n$/],
    ["compare --n 9 --svg x.pdf", /^error: --svg needs a file that ends in \.svg, got "x\.pdf"; try --svg x\.svg\n$/],
    ["gossip ring --n 9 --png x", /^error: --png needs a file that ends in \.png, got "x"; try --png x\.png\n$/],
    [
      "rate ring --n 9 --plugin no.mjs",
      /^error: a plug-in must be a file that can be read \(ENOENT\), got ".*no\.mjs"; /,
    ],
    [
      "rate ring torus --n 17",
      /^error: rate takes at most 1 word beside its options, got 2; see equitopo help rate\n$/,
    ],
    [
      "run examples/first-minute.yaml --hosts none.txt",
      /^error: --hosts tells groups by host .*, got "none\.txt"; leave it out/,
    ],
    ["list topologies", /^error: list takes no words beside its options, got 1; see equitopo help list\n$/],
    ["train", /^error: train needs a word for data, got nothing; see equitopo help train\n$/],
    ["cluster init hosts.txt", /^error: --out <DIR> must be given, got nothing; see equitopo help cluster\n$/],
    ["compare --n 9 --topologies", /^error: --topologies needs a value, got nothing; write --topologies <a,b,c>\n$/],
    [
      "train synthetic --model resnet",
      /^error: --model must be one of mnist-cnn, .*, got "resnet"; did you mean resnet20\?\n$/,
    ],
    [
      "gossip ring --n 9 --start normall",
      /^error: start must be one of normal, .*, got "normall"; did you mean normal\?/,
    ],
    [
      "gossip od-equidyn --n 9 --seed 18446744073709551615",
      /^error: seed must be an integer from 0 to 9007199254740991, got 1\.8446744073709552e\+19; try seed = 9007199254740991\n$/,
    ],
    ["gossip ring --n 9 --alpha -1", /^error: alpha must be at least 0, got -1; /],
    ["gossip ring --n 9 --cut 3-3:0", /^error: the pair of a cut must be two different nodes, .*; name two\n$/],
    ["gossip star --n 1e9", /^error: the work must fit into this machine's .* of memory, got "about 3\.20 TB"; /],
    [
      "rate hyper-hypercube --n 17",
      /^error: .* needs n without a prime factor above 2, such as 17, got 17; try k = 16, /,
    ],
    [
      "run missing.yaml",
      /^error: the spec must be a file that can be read \(ENOENT\), got "missing\.yaml"; check its name\n$/,
    ],
    [`graph ring --n 1 ${out}`, /^error: n must be /],
    [`graph hypercube --n 6 ${out}`, /^error: a hypercube needs /],
    [`graph d-equistatic --n 9 --basis 9 ${out}`, /^error: a basis index /],
    [`graph ring --n 9 --format jsn ${out}`, /^error: format must be one of .*, got "jsn"; did you mean json\?\n$/],
    [
      `graph ring --n 9 --shift 2 ${out}`,
      /^error: --shift and --start are for od-equidyn and ou-equidyn, got "ring"; /,
    ],
    [`graph ou-equidyn --n 9 --shift 2 ${out}`, /^error: ou-equidyn takes --shift and --start, got \{"shift":2\}; /],
    [`graph ou-equidyn --n 9 --start 9 --shift 2 ${out}`, /^error: start must be .* n - 1 = 8, got 9; /],
    [`graph od-equidyn --n 9 --shift 9 ${out}`, /^error: shift must be .* n - 1 = 8, .*, got 9; /],
    [
      `graph od-equidyn --n 9 --shift 2 --round 1 ${out}`,
      /^error: --round, --rounds, and --shift with --start each say which, got /,
    ],
    [`graph ring --n 9 --round -1 ${out}`, /^error: round must be an integer of at least 0, got -1; /],
    [`graph ${out}`, /^error: a topology must be named, got nothing; /],
    ["compare", /^error: --n, /],
    ["compare --n 1", /^error: n must be an integer of at least 2, got 1; /],
    ["compare --n 6 --topologies hypercube", /^error: hypercube needs a power of 2, got 6; /],
    ["compare --n 17 --topologies rng", /got "rng"; did you mean ring\?\n$/],
    ["compare --n 17 --tolerance 1", /^error: tolerance must lie in \(0, 1\), got 1; /],
    [
      "compare --n 17 --topologies ring --eta 0.5",
      /^error: --eta must be an option of a topology compared, got "ring"; /,
    ],
    ["help raet", /^error: the command must be one of .*, got "raet"; did you mean rate\?\n$/],
    ["design --n 300 --degree 9 --seconds 1e300", /^error: seconds must be above 0 and at most 2000000, got 1e\+300; /],
    ["verify", /^error: verify needs a certificate, got "none"/],
  ];
  for (const [words, message] of cases) {
    it(words.replace(folder, ""), async () => {
      const { status, stdout, stderr } = await equitopo(words);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(message);
      expect(readdirSync(folder)).toEqual([]);
    });
  }
});

describe("as a process", () => {
  it("answers, refuses and complains by exit code", () => {
    expect(spawned("rate ring --n 17").stdout).toMatch(/^ring, n = 17\n {2}rate +0\.954981/);
    expect(spawned("rate ring --n 1")).toMatchObject({ status: 2, stdout: "" });
    expect(spawned("--version")).toMatchObject({ status: 0, stderr: "" });
    expect(spawned("")).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("output that finds no room", () => {
  it.skipIf(!existsSync("/dev/full"))("ends with one line", () => {
    const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" list > /dev/full`], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      2,
      'error: the output must be writable, got "ENOSPC: no space left on device, write"; send it elsewhere\n',
    ]);
  });
});

describe("doctor", () => {
  it("keeps to itself what drivers write while it looks for a GPU", () => {
    // Without the adapter of the tests, of which there is nothing to complain.
    const { LD_LIBRARY_PATH: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "doctor", "--json"], {
      encoding: "utf8",
      env,
    });
    expect([status, stderr]).toEqual([0, ""]);
    const { machine } = JSON.parse(stdout);
    expect(machine.at(-1)).toMatchObject({ what: "GPU (WebGPU)", ok: expect.any(Boolean), detail: expect.any(String) });
  });
});

describe("a reader that leaves early", () => {
  it("is no error", () => {
    const script = `"${process.execPath}" "${bin}" graph complete --n 1000 | head -c 20`;
    const { stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(['{"n":1000,"round":0,', ""]);
  });
});

describe("numbers for people", () => {
  it("rates have six digits, more near 1", () => {
    expect([0.7089091, 0.99985379, 0.99999987, 1, 1 - 1e-15, 0, 1e-17, -0.25].map(showRate)).toEqual([
      "0.708909",
      "0.999854",
      "0.999999870",
      "1",
      "1",
      "0",
      "0",
      "-0.250000",
    ]);
  });

  it("bytes, counts and factors", () => {
    expect([0, 999, 8000, 320_000, 999_600, 1.5e9].map(showBytes)).toEqual([
      "0 B",
      "999 B",
      "8.00 kB",
      "320 kB",
      "1.00 MB",
      "1.50 GB",
    ]);
    expect([94_484, Number.POSITIVE_INFINITY].map(showCount)).toEqual(["94,484", "-"]);
    expect([1e-6, 0.01].map(showFactor)).toEqual(["1e-6", "0.01"]);
  });
});
