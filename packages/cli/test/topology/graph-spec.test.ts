/** A spec that names a graph file: read beside the spec, pinned by its bytes, and carried by the runs themselves. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeRuns } from "@equitopo/web";
import { expandSpec, type RunSpec, runSpec } from "equitopo";
import { sha256 } from "equitopo/number";
import { specText } from "equitopo/peer";
import { expect, test } from "vitest";
import { portableRuns } from "../../src/peers/portable.ts";
import { readSpecFile } from "../../src/spec-file.ts";
import { equitopo, json, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const kite = "source,target\n0,1\n0,2\n1,2\n2,3\n";
const other = "source,target\n0,1\n1,2\n2,3\n";

const graph = {
  n: 4,
  edges: [
    [0, 1],
    [0, 2],
    [1, 2],
    [2, 3],
  ],
};

/** A spec in a folder with its graph beside it. */
function written(name: string, topology: object = {}, graph = kite): string {
  writeFileSync(join(folder, `${name}.csv`), graph);
  const path = join(folder, `${name}.json`);
  const document = {
    topologies: [{ name: "file", path: `${name}.csv`, ...topology }],
    algorithms: [{ name: "dsgt", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 10 },
    updates: 20,
    seeds: [1, 2],
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}

const rateOf = async (text: string) => {
  const path = join(folder, "alone.csv");
  writeFileSync(path, text);
  return (await json(`rate --file ${path}`)).rate;
};

test("run takes it, under the file's name, on threads and in this process alike", async () => {
  const spec = written("kite");
  const [out, again] = [join(folder, "out"), join(folder, "again")];
  const { runs, stateHash } = parsed(spawned(`run ${spec} --out ${out} --quiet --json`));
  const rate = await rateOf(kite);
  expect(runs.map((run: { label: string; rate: number }) => [run.label, run.rate])).toEqual([
    ["kite.csv", rate],
    ["kite.csv", rate],
  ]);
  expect(parsed(spawned(`run ${spec} --out ${again} --workers 2 --quiet --json`)).stateHash).toBe(stateHash);
  const [{ unit }] = JSON.parse(readFileSync(join(out, "spec.json"), "utf8")).units;
  expect(unit.run.topology).toEqual({ name: "file", n: 4, path: "kite.csv", sha256: sha256(Buffer.from(kite)), graph });
  const report = readFileSync(join(out, "report.html"), "utf8");
  expect(report).toContain(sha256(Buffer.from(kite)));
  expect(report).not.toContain("topology graph");
  // A changed file is another run.
  writeFileSync(join(folder, "kite.csv"), other);
  const { status, stderr } = spawned(`run ${spec} --out ${out} --resume --quiet`);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/needs the spec .*; units\.0\.unit\.run\.topology\.sha256 was /),
  ]);
  expect(stderr).not.toContain("edges");
});

test("the hash beside a path pins the file", async () => {
  const pinned = await readSpecFile(written("pin", { sha256: sha256(Buffer.from(kite)) }));
  expect(pinned.topologies?.[0]).toMatchObject({ graph });
  const out = join(folder, "unpinned");
  const { status, stdout, stderr } = await equitopo(`run ${written("pin", { sha256: "0".repeat(64) })} --out ${out}`);
  expect([status, stdout, existsSync(out)]).toEqual([2, "", false]);
  expect(stderr).toMatch(
    /topologies\[0\]: pin\.csv must be the file of SHA-256 0{64}, got "[0-9a-f]{64}"; get the same file/,
  );
});

test.each<[string, object, string, RegExp]>([
  [
    "no such file",
    { path: "none.csv" },
    kite,
    /topologies\[0\]: the graph of a spec must be a file .*ENOENT.*none\.csv/,
  ],
  ["another n", { n: 5 }, kite, /topologies\[0\]: n must be the 4 nodes of the file, got 5; leave it out/],
  ["no path", { path: undefined }, kite, /the graph of a file must be read before it is made/],
  ["labels from 1", {}, "from,to\n1,2", /topologies\[0\]: wrong\.csv: labels count from 0/],
  ["other weights", { weights: "best" }, kite, /weights must be one of metropolis, best-constant/],
])("refused: %s", async (_name, topology, graph, message) => {
  const { status, stdout, stderr } = await equitopo(`run ${written("wrong", topology, graph)}`);
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
});

test("weights takes the edges only, which is said", async () => {
  const spec = written("heavy", { weights: "best-constant" }, "from,to,weight\n0,1,7\n0,2,3\n1,2,5\n2,3,1");
  const { status, stderr } = spawned(`run ${spec} --out ${join(folder, "heavy")} --json`);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/heavy\.csv: best-constant weights on its 4 edges/)]);
});

test("two files stand in one spec, and with one name by their paths", async () => {
  const spec = written("two");
  const document = JSON.parse(readFileSync(spec, "utf8"));
  mkdirSync(join(folder, "b"));
  writeFileSync(join(folder, "b", "two.csv"), other);
  const topologies = [...document.topologies, { name: "file", path: "b/two.csv" }, { name: "ring", n: 4 }];
  writeFileSync(spec, JSON.stringify({ ...document, topologies, seeds: [1] }));
  const labels = expandSpec(await readSpecFile(spec)).map(({ label }) => label);
  expect(labels).toEqual(["two.csv path=two.csv", "two.csv path=b/two.csv", "ring"]);
});

test("between groups and inside runs, too", async () => {
  const spec = written("between", { n: 8 });
  const document = JSON.parse(readFileSync(spec, "utf8"));
  writeFileSync(spec, JSON.stringify({ ...document, hierarchy: { groups: 2 } }));
  const [{ topology }] = expandSpec(await readSpecFile(spec));
  expect(topology).toMatchObject({ name: "hierarchy", n: 8, between: { name: "file", graph } });
  const { topologies, algorithms, ...rest } = document;
  const runs = [{ topology: { name: "file", path: "between.csv" }, algorithm: algorithms[0] }];
  writeFileSync(spec, JSON.stringify({ ...rest, runs }));
  expect(expandSpec(await readSpecFile(spec))[0]).toMatchObject({
    label: "between.csv dsgt",
    topology: { n: 4, graph },
  });
});

test("a room and other processes are handed the graph itself", async () => {
  const spec = written("room");
  const text = encodeRuns(portableRuns(await readSpecFile(spec)));
  rmSync(join(folder, "room.csv"));
  const [run] = JSON.parse(text).runs as readonly RunSpec[];
  expect(run.topology).toMatchObject({ path: "room.csv", graph });
  expect(runSpec(run).metrics.relativeError.length).toBe(21);
});

test("peers with another file have another text to agree on", async () => {
  const textOf = async (graph: string) =>
    specText({ runs: expandSpec(await readSpecFile(written("peer", {}, graph))) });
  expect(await textOf(kite)).toBe(await textOf(kite));
  // Other bytes are another file, if they say the same.
  expect(await textOf(kite)).not.toBe(await textOf(`${kite}\n`));
  expect(await textOf(kite)).not.toBe(await textOf(other));
});
