/**
 * The package without PyTorch, by a bare python3: peers of every family of topologies equal the library's to the bit, its own
 * tests, and one version for npm and Python.
 */

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { topologies } from "equitopo";
import { optionsOf } from "equitopo/internal/topology";
import { expect, test } from "vitest";
import { ownGraphs, specs, vectorOf } from "../scripts/vectors.mjs";
import { environment, packageRoot, pythonWith } from "./python.ts";

const python = pythonWith();
if (python === undefined) console.warn("NOT RUN: the Python package (no python3 of 3.9 or later)");

test("there are vectors of every family, with every option that a vector can have", () => {
  const seen = new Map<string, Set<string>>();
  for (const { name, ...options } of specs()) {
    seen.set(name, new Set([...(seen.get(name) ?? []), ...Object.keys(options)]));
  }
  expect([...seen.keys()].sort()).toEqual([...topologies].map(({ name }) => name).sort());
  // These go with others: p with rho, self and weights with shifts that are written out, p and q with lps' own n.
  const apart = ["p", "self", "weights", "q"];
  for (const family of topologies) {
    const missing = Object.keys(optionsOf(family)).filter((key) => !seen.get(family.name)?.has(key));
    expect(missing.filter((key) => !apart.includes(key))).toEqual([]);
  }
});

test.skipIf(python === undefined)("every family's peers are the library's to the bit", async () => {
  const child = spawn(python!, [join(packageRoot, "tests/conformance.py")], { env: environment });
  const output: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let [count, largest] = [0, 0];
  for (const spec of [...specs(), ...ownGraphs]) {
    const vector = vectorOf(spec);
    if (vector === undefined) continue;
    count++;
    largest = Math.max(largest, spec.n ?? 0);
    child.stdin.write(`${JSON.stringify(vector)}\n`);
  }
  child.stdin.end();
  expect([await ended, output.join("").trim().split("\n").at(-1)]).toEqual([
    0,
    expect.stringContaining('"different": 0'),
  ]);
  expect([count > 1000, largest]).toEqual([true, 1_000_000]);
  const { rules } = JSON.parse(output.join(""));
  expect(rules).toEqual(["grouped", "labels", "pair", "pairs", "push", "shift", "subset", "table"]);
});

test.skipIf(python === undefined)("its own tests and the examples in its documentation hold", () => {
  const run = spawnSync(python!, ["-m", "unittest", "discover", "-s", "tests", "-p", "test_pure*.py"], {
    ...{ cwd: packageRoot, env: environment, encoding: "utf8" },
  });
  expect([run.status, run.stderr]).toEqual([0, expect.stringContaining("OK")]);
});

test("npm and Python have one version, from one file", () => {
  const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
  const { version } = JSON.parse(read("package.json"));
  expect(version).toBe(JSON.parse(read("../equitopo/package.json")).version);
  const pyproject = read("pyproject.toml");
  expect(pyproject).toMatch(/^dynamic = \["version"\]$/m);
  expect(pyproject).toMatch(/^\[tool\.hatch\.version\]\npath = "package\.json"$/m);
  expect(pyproject).not.toMatch(/^version = /m);
  expect(pyproject).toMatch(/^dependencies = \[\]$/m);
});
