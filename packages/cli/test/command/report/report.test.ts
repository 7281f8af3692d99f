import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expandSpec, runSpec, type SpecDocument } from "equitopo";
import { runKey } from "equitopo/internal/outcome";
import { folderFormat } from "equitopo/internal/run";
import { beforeAll, describe, expect, it } from "vitest";
import { openRunFolder } from "../../../src/folder/run-folder.ts";
import { equitopo, json, scratch } from "../../command.ts";
import { all, byClass, parseXml, words } from "../../xml.ts";

const home = scratch();
const least: SpecDocument = {
  topologies: [{ name: "ring", n: 6 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares" },
  rounds: 20,
  seeds: [0, 1],
};

/** A folder as `equitopo run` leaves it, `finished` of its units done. */
async function folderOf(name: string, document: SpecDocument, { mark = {}, finished = Number.POSITIVE_INFINITY } = {}) {
  const runs = expandSpec(document);
  const units = runs.map((run, at) => {
    return { key: `run: ${runKey(run, at)}`, unit: { kind: "learning", key: runKey(run, at), run } };
  });
  const spec = { format: folderFormat, experiments: ["run"], scale: "full", units, ...mark };
  const folder = await openRunFolder(join(home, name), { spec, version: "0.0.9" });
  for (const [at, { key }] of units.slice(0, finished).entries()) {
    const result = runSpec(runs[at]);
    await folder.journal.store(key, mark === undefined || !("transport" in mark) ? result : { ...result, real: {} });
  }
  await folder.curves("run-loss", [{ x: 1 }]);
  await folder.journal.close();
}

beforeAll(async () => {
  await folderOf("dsgd", least);
  await folderOf("dsgt", { ...least, algorithms: [{ name: "dsgt", learningRate: 0.01 }] });
  await folderOf("peers", least, { mark: { transport: "threads", peers: 6 } });
  await folderOf("half", least, { finished: 1 });
  await folderOf("none", least, { finished: 0 });
});

const page = join(home, "page.html");
const report = (...names: string[]) => `report ${names.map((name) => join(home, name)).join(" ")} --out ${page}`;

describe("report", () => {
  it("puts runs of several folders into one figure and table, with what sets them apart", async () => {
    const found = await json(report("dsgd", "dsgt"));
    expect(found.runs.map(({ run }: { run: string }) => run)).toEqual(["dsgd", "dsgt"]);
    expect(found.differing).toEqual({
      columns: ["run", "algorithm"],
      rows: [
        ["dsgd", "dsgd"],
        ["dsgt", "dsgt"],
      ],
    });
    expect(found.common).toMatchObject({ topology: "ring", n: "6", seeds: "0, 1" });
    expect(found.findings[0]).toMatch(/relative error/);
    const root = parseXml(readFileSync(page, "utf8").trim());
    const [first] = all(root, (one) => one.name === "figure");
    expect(all(first, byClass("key")).map(words)).toEqual(["dsgd", "dsgt"]);
    const links = all(root, (one) => one.name === "a").map((one) => one.attributes["href"]);
    expect(links.filter((link) => link.endsWith(".csv"))).toEqual(["dsgd/run-loss.csv", "dsgt/run-loss.csv"]);
  });

  it("says which seconds were measured, and which folders hold the same bits", async () => {
    const { status, stdout, stderr } = await equitopo(report("dsgd", "peers"));
    expect([status, stderr]).toEqual([0, `\nreport: ${page}\n`]);
    expect(stdout).toContain("2 runs end with the same rows, bit for bit, in dsgd and peers.");
    expect(stdout).toContain("seconds: measured in peers, elsewhere simulated");
    expect(stdout).toMatch(/peers +6 +threads/);
  });

  it("tells of a folder that is not finished", async () => {
    const { findings } = await json(report("dsgt", "half"));
    expect(findings).toContain("half is not finished: 1 of 2 units of work are here.");
  });

  it.each([
    ["one folder", ["dsgd"], /two or more folders, got ".*dsgd"; name another, or open .*report\.html/],
    ["the same twice", ["dsgd", "dsgd"], /folders that differ/],
    ["no folder", ["dsgd", "nowhere"], /needs the folder of a run \(ENOENT\), got ".*nowhere"; name what/],
    ["a folder of something else", ["dsgd", "."], /needs the folder of a run/],
    ["nothing finished", ["dsgd", "none"], /runs that are finished/],
  ])("refuses %s, and writes nothing", async (_name, names, message) => {
    const out = join(home, "refused.html");
    const { status, stdout, stderr } = await equitopo(report(...names).replace(page, out));
    expect([status, stdout, existsSync(out)]).toEqual([2, "", false]);
    expect(stderr).toMatch(message);
  });

  it("refuses a page whose name is not a page's, as that of a folder", async () => {
    const out = join(home, "side-by-side");
    const { status, stderr } = await equitopo(report("dsgd", "dsgt").replace(page, out));
    expect([status, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toMatch(/^error: --out needs a file that ends in \.html, got .*; try --out .*side-by-side\.html\n$/);
  });

  it("refuses a page that cannot be written before it reads anything", async () => {
    writeFileSync(join(home, "file"), "");
    const { status } = await equitopo(report("dsgd", "dsgt").replace(page, join(home, "file", "page.html")));
    expect(status).toBe(2);
  });
});
