import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { InputError } from "equitopo";
import { lineFigure } from "equitopo/picture";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRunFolder } from "../../src/folder/run-folder.ts";
import { csv } from "../../src/terminal/csv-text.ts";
import { progressBar } from "../../src/terminal/progress.ts";
import { readPng } from "../png-pixels.ts";
import { damagedFiles, readRows, unit } from "./kept.ts";

let base: string;
let count = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "run-folder-"));
});
afterAll(() => rm(base, { recursive: true }));

const fresh = () => join(base, String(count++));
const spec = { name: "consensus", n: [300, 4900], seed: 1, eta: 0.5 };
const begin = (path: string) => openRunFolder(path, { spec, version: "0.1.0" });
const resume = (path: string) => openRunFolder(path, { spec, version: "0.1.0", resume: true });

describe("what is stored", () => {
  it("survives closing and reopening, overlapping stores and a second value for a key", async () => {
    const path = fresh();
    const first = await begin(path);
    const curve = Float64Array.from({ length: 1000 }, (_, t) => 0.7 ** t / 3);
    await Promise.all([
      first.journal.store("a", curve),
      first.journal.store("b", { repeat: 1 }),
      first.journal.store("c/ü", [Number.NaN, -0]),
    ]);
    await first.journal.store("b", { repeat: 2 });
    await first.journal.close();
    const second = await resume(path);
    expect(second.journal.keys.sort()).toEqual(["a", "b", "c/ü"]);
    expect([second.journal.finished("a"), second.journal.finished("d"), second.journal.damaged]).toEqual([
      true,
      false,
      0,
    ]);
    expect(await second.journal.load("a")).toStrictEqual(curve);
    expect(await second.journal.load("b")).toEqual({ repeat: 2 });
    expect(await second.journal.load("c/ü")).toStrictEqual([Number.NaN, -0]);
    await expect(second.journal.load("d")).rejects.toThrow(/only a finished unit/);
    expect(await unit(second, "b", () => expect.unreachable("b is done"))).toEqual({ repeat: 2 });
    expect(await unit(second, "d", async () => 4)).toBe(4);
    expect(second.journal.finished("d")).toBe(true);
    await second.journal.close();
  });
});

describe("a torn or damaged journal", () => {
  const keys = ["first", "second", "third"];
  let whole: Buffer;
  let ends: number[];
  beforeAll(async () => {
    const path = fresh();
    const folder = await begin(path);
    for (const key of keys) await folder.journal.store(key, { key, numbers: [1 / 3, 2e-300] });
    await folder.journal.close();
    whole = await readFile(join(path, "journal.ndjson"));
    ends = [...whole.entries()].flatMap(([i, byte]) => (byte === 10 ? [i] : []));
  });

  /** Opens a run with this journal, checks that it goes on from there, and says which units it held finished. */
  async function reopen(journal: Buffer): Promise<string[]> {
    const path = fresh();
    await (await begin(path)).journal.close();
    await writeFile(join(path, "journal.ndjson"), journal);
    const folder = await resume(path);
    const found = folder.journal.keys;
    for (const key of keys) {
      const again = await unit(folder, key, () => ({ key, numbers: [1 / 3, 2e-300] }));
      expect(again).toStrictEqual({ key, numbers: [1 / 3, 2e-300] });
    }
    await folder.journal.close();
    const after = await resume(path);
    expect(after.journal.keys.sort()).toEqual(keys);
    await after.journal.close();
    return found;
  }

  it("cut at any byte keeps every whole line and redoes the rest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (length) => {
        expect(await reopen(whole.subarray(0, length))).toEqual(keys.filter((_, i) => length > ends[i]));
      }),
      { numRuns: 40, examples: [[0], [ends[1]], [ends[1] + 1], [whole.length]] },
    );
  });

  it("changed at any byte loses no line but the changed one (and its neighbour, if the byte parted them)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const bent = Buffer.from(whole);
        bent[at] ^= flip;
        const hit = ends.findIndex((end) => at <= end);
        const lost = at === ends[hit] ? [keys[hit], keys[hit + 1]] : [keys[hit]];
        expect(await reopen(bent)).toEqual(keys.filter((key) => !lost.includes(key)));
      }),
      { numRuns: 40, examples: [[ends[0], 1]] },
    );
  });

  it("of another spec is not believed even when spec.json is lost or unreadable", async () => {
    const path = fresh();
    const folder = await begin(path);
    await folder.journal.store("a", 1);
    await folder.journal.close();
    await writeFile(join(path, "spec.json"), '{"name": "cons');
    const other = await openRunFolder(path, { spec: { ...spec, seed: 2 }, version: "0.1.0", resume: true });
    expect([other.journal.keys, other.journal.damaged]).toEqual([[], 1]);
    await other.journal.close();
    await rm(join(path, "spec.json"));
    const same = await resume(path);
    expect(same.journal.keys).toEqual(["a"]);
    expect(JSON.parse(await readFile(join(path, "spec.json"), "utf8"))).toEqual(spec);
    await same.journal.close();
  });
});

describe("opening", () => {
  it("refuses to begin over a run, and to resume with another spec, naming what differs", async () => {
    const path = fresh();
    await (await begin(path)).journal.close();
    await expect(begin(path)).rejects.toThrow(/a new run needs a folder without one.*resume it/);
    const other = openRunFolder(path, { spec: { ...spec, n: [300, 900], drop: 0.1 }, version: "0.1.0", resume: true });
    await expect(other).rejects.toThrow(InputError);
    await expect(other).rejects.toThrow(/drop was absent and is now 0.1; n\.1 was 4900 and is now 900/);
    const { seed, eta, ...rest } = spec;
    await (await openRunFolder(path, { spec: { eta, seed, ...rest }, version: "0.1.0", resume: true })).journal.close();
  });

  it("resumes an empty folder as a new run, and clears away half-written files", async () => {
    const path = fresh();
    await (await resume(path)).journal.close();
    await writeFile(join(path, ".report.html.tmp"), "<htm");
    await (await resume(path)).journal.close();
    expect((await readdir(path)).sort()).toEqual(["journal.ndjson", "spec.json", "versions.json"]);
  });

  it("notes versions without naming the machine, and those of an earlier part of the run", async () => {
    const path = fresh();
    await (await begin(path)).journal.close();
    const folder = await openRunFolder(path, { spec, version: "0.2.0", resume: true });
    await folder.journal.close();
    const text = await readFile(join(path, "versions.json"), "utf8");
    expect(JSON.parse(text)).toEqual(folder.versions);
    expect(Object.keys(folder.versions)).toEqual(["equitopo", "node", "platform", "cpu", "earlier"]);
    expect(folder.versions.earlier?.map((one) => one.equitopo)).toEqual(["0.1.0"]);
    expect(Object.values(JSON.parse(text))).not.toContain(hostname());
  });
});

describe("a run that is withdrawn", () => {
  it("leaves nothing, but what others put there", async () => {
    const path = fresh();
    await (await begin(path)).withdraw();
    await expect(readdir(path)).rejects.toThrow(/ENOENT/);
    const folder = await begin(path);
    await writeFile(join(path, "mine"), "");
    await folder.withdraw();
    expect(await readdir(path)).toEqual(["mine"]);
  });

  it("stays where something came of it", async () => {
    const path = fresh();
    const folder = await begin(path);
    await folder.journal.store("a", 1);
    await folder.withdraw();
    expect(folder.journal.keys).toEqual(["a"]);
    expect(await readdir(path)).toContain("spec.json");
    await folder.journal.close();
  });
});

describe("files of a run", () => {
  const rows = [
    { series: 'ring, "15 x 20"', round: 0, mean: 1 / 3, low: 5e-324 },
    { series: "=x", round: 1, mean: Number.NaN, low: -0 },
  ];

  it("holds curves exactly as NDJSON and CSV", async () => {
    const path = fresh();
    const folder = await begin(path);
    await folder.curves("one-peer", rows);
    await folder.journal.close();
    expect(readRows(await readFile(join(path, "one-peer.ndjson"), "utf8"))).toStrictEqual(rows);
    expect(await readFile(join(path, "one-peer.csv"), "utf8")).toBe(
      `series,round,mean,low\r\n"ring, ""15 x 20""",0,0.3333333333333333,5e-324\r\n'=x,1,NaN,-0\r\n`,
    );
    expect(csv([])).toBe("");
  });

  it("writes figures twice over, tells damaged files, and keeps to its folder", async () => {
    const path = fresh();
    const folder = await begin(path);
    const svg = lineFigure({ title: "t", xLabel: "x", yLabel: "y", series: [{ label: "a", x: [0, 1], mean: [0, 1] }] });
    await folder.figure("one", svg);
    await folder.write("report.html", "<html></html>");
    for (const name of ["../out", "a/b", "", ".hidden", "journal.ndjson"]) {
      await expect(folder.write(name, "")).rejects.toThrow(/a file of a run has a name/);
    }
    expect(await damagedFiles(path)).toBeUndefined();
    await folder.finish();
    expect(await readFile(join(path, "one.svg"), "utf8")).toBe(svg);
    expect(readPng(await readFile(join(path, "one.png"))).width).toBe(1240);
    expect(await damagedFiles(path)).toEqual([]);
    await appendFile(join(path, "report.html"), " ");
    await rm(join(path, "one.png"));
    expect((await damagedFiles(path))?.sort()).toEqual(["one.png", "report.html"]);
    await (await resume(path)).journal.close();
    expect(await damagedFiles(path)).toBeUndefined();
  });
});

/** Stores 24 large values one after another and says so; then writes its report. Uses the build, as a user would. */
const worker = `
const { openRunFolder } = await import(process.argv[1]);
const folder = await openRunFolder(process.argv[2], { spec: { name: "kill" }, version: "0", resume: true });
console.log(JSON.stringify({ found: folder.journal.keys }));
for (let i = 0; i < 24; i++) {
  const worked = !folder.journal.finished("u" + i);
  const value = Float64Array.from({ length: 20000 }, (_, k) => Math.sqrt(i + k));
  if (worked) await folder.journal.store("u" + i, value);
  console.log(JSON.stringify({ stored: "u" + i, worked }));
}
await folder.write("report.html", "x".repeat(1e6));
await folder.finish();
`;

describe("a run killed at any moment", () => {
  it("loses nothing that it called finished, does nothing twice, and completes", { timeout: 30_000 }, async () => {
    const path = fresh();
    const build = new URL("../../dist/folder/run-folder.js", import.meta.url).href;
    const promised = new Set<string>();
    let complete = false;
    for (let kill = 0; !complete; kill++) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", worker, build, path], {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: ["ignore", "pipe", "inherit"],
      });
      // Five kills at random points, early and late; the sixth process may live.
      const last = kill < 5 ? Math.floor(Math.random() * 6) : Number.POSITIVE_INFINITY;
      let lines = 0;
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      for await (const line of createInterface({ input: child.stdout })) {
        const { found, stored, worked } = JSON.parse(line);
        for (const key of promised) if (found !== undefined) expect(found).toContain(key);
        if (stored !== undefined) {
          if (promised.has(stored)) expect(worked).toBe(false);
          else lines++;
          promised.add(stored);
        }
        if (lines > last) setTimeout(() => child.kill("SIGKILL"), Math.random() * 3);
      }
      complete = (await ended) === 0;
    }
    expect(await damagedFiles(path)).toEqual([]);
    const folder = await openRunFolder(path, { spec: { name: "kill" }, version: "0", resume: true });
    for (let i = 0; i < 24; i++) {
      const wanted = Float64Array.from({ length: 20000 }, (_, k) => Math.sqrt(i + k));
      const found = (await folder.journal.load(`u${i}`)) as Float64Array;
      expect(Buffer.from(found.buffer).equals(Buffer.from(wanted.buffer))).toBe(true);
    }
    expect((await readFile(join(path, "report.html"))).length).toBe(1e6);
    await folder.journal.close();
  });
});

describe("progressBar", () => {
  function bar(options: { isTTY?: boolean; quiet?: boolean; done?: number; columns?: number }) {
    const written: string[] = [];
    const clock = { time: 0 };
    const stream = {
      isTTY: options.isTTY ?? true,
      columns: options.columns ?? 80,
      write: (text: string) => written.push(text),
    };
    const { quiet = false, done = 0 } = options;
    return {
      written,
      clock,
      bar: progressBar({ label: "n = 300", total: 10, quiet, done, stream, now: () => clock.time }),
    };
  }

  it("shows itself after two seconds, with the time left, and is erased at the end", () => {
    const { written, clock, bar: one } = bar({});
    clock.time = 1999;
    one.update(1);
    expect(written).toEqual([]);
    clock.time = 4000;
    one.update(2);
    expect(written[0]).toBe(`\r\x1b[2Kn = 300 ${"█".repeat(6)}${"░".repeat(24)}  20%, 16 s left`);
    clock.time = 4050;
    one.update(3);
    expect(written).toHaveLength(1);
    one.end();
    expect(written[1]).toBe("\r\x1b[2K");
  });

  it("says no time left before a hundredth is done: that would be the start's, stretched", () => {
    const { written, clock, bar: one } = bar({});
    clock.time = 3000;
    one.update(0.05);
    expect(written[0]).toMatch(/░ {3}0%$/);
  });

  it("counts only this run's work towards the time left, and fits a narrow terminal", () => {
    const { written, clock, bar: one } = bar({ done: 8, columns: 30 });
    clock.time = 600_000;
    one.update(9, "a long label that does not fit");
    expect(written[0]).toMatch(/ 90%, 10 min left$/);
    expect(written[0].replace("\r\x1b[2K", "").length).toBeLessThan(30);
  });

  it("is silent when quiet, off a terminal, and when the work was short", () => {
    for (const options of [{ quiet: true }, { isTTY: false }]) {
      const { written, clock, bar: one } = bar(options);
      clock.time = 9999;
      one.update(5);
      one.end();
      expect(written).toEqual([]);
    }
    const { written, bar: one } = bar({});
    one.update(10);
    one.end();
    expect(written).toEqual([]);
  });
});
