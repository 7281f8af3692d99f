/** Figures of benches as a file, two of them beside each other, and the README's table, which is made from one. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "equitopo";
import { afterAll, describe, expect, it } from "vitest";
import { benches } from "../../../../bench/benches.ts";
import { changes, comparisonText } from "../../../../bench/compare.ts";
import { thisMachine } from "../../../../bench/machine.ts";
import { shownBenches, shownFigures, tableText, withTable } from "../../../../bench/readme-table.ts";
import { Gathered, readRecord, recordText } from "../../../../bench/record.ts";

const place = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "equitopo-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));
const machine = {
  ...{ cpu: "a processor", cores: 2, memoryGB: 8, system: "Linux 6", node: "v20.20.0" },
  ...{ commit: "abc", changed: false, date: "2026-01-02" },
};

/** A record of these values, each a run. */
function recordOf(values: Readonly<Record<string, readonly number[]>>, more?: true) {
  const gathered = new Gathered();
  for (const [name, list] of Object.entries(values)) {
    for (const value of list) {
      const beside = { what: "numpy", value: 2 * value };
      gathered.of("rate").figure({ name, value, unit: "ms", beside, ...(more ? { more } : {}) });
    }
  }
  return gathered.record(machine);
}

describe("a file of figures", () => {
  it("has every value of every run, what could not be measured, and the machine", () => {
    const gathered = new Gathered();
    for (const value of [3, 1, 2]) gathered.of("rate").figure({ name: "a", value, unit: "ms" });
    for (let k = 0; k < 2; k++) gathered.of("gossip").missing("numpy", "not installed");
    const record = gathered.record(thisMachine());
    writeFileSync(join(folder, "a.json"), recordText(record));
    expect(readRecord(join(folder, "a.json"))).toEqual(record);
    expect(record.figures).toEqual([{ bench: "rate", name: "a", unit: "ms", values: [3, 1, 2] }]);
    expect(record.missing).toEqual([{ bench: "gossip", what: "numpy", why: "not installed" }]);
    expect(record.machine).toMatchObject({ node: process.version, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    expect(record.machine.cores).toBeGreaterThan(0);
  });

  it("is as the formatter of the repository leaves it, however many runs", () => {
    const many = Array.from({ length: 130 }, (_, k) => 1.2345 * 1.3 ** k);
    const text = recordText(recordOf({ "one run": [1], "three runs": [1, 2, 3], "many runs": many }));
    const words = ["node_modules/@biomejs/biome/bin/biome", "format", "--stdin-file-path=bench/results/a.json"];
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: place(""), input: text, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, text]);
    expect(text).toContain('"values": [1, 2, 3]');
  });

  it("of another version, or none, is refused", () => {
    const path = join(folder, "b.json");
    expect(() => readRecord(path)).toThrow(/must be readable JSON.*npm run bench/);
    writeFileSync(path, JSON.stringify({ version: 99, figures: [] }));
    expect(() => readRecord(path)).toThrow(InputError);
  });
});

describe("two records", () => {
  it("differ where all values of one lie on one side of all of the other", () => {
    const before = recordOf({ a: [10, 11, 12], b: [10, 14], c: [5] });
    const now = recordOf({ a: [7, 8, 9.9], b: [13, 17], c: [9] });
    expect(changes(before, now).map(({ verdict }) => verdict)).toEqual(["better", "within the spread", "taken once"]);
    expect(changes(before, now)[0]).toMatchObject({ before: 10, now: 7, ratio: 0.7, spread: 9.9 / 7 });
    expect(changes(now, before)[0].verdict).toBe("worse");
    // Where more is better it is the other way round, and the largest counts.
    expect(changes(recordOf({ a: [1, 2] }, true), recordOf({ a: [3, 4] }, true))[0]).toMatchObject({
      ...{ before: 2, now: 4, verdict: "better" },
    });
  });

  it("are told with what only one has, and that the machines differ", () => {
    const text = comparisonText(recordOf({ a: [1, 2], old: [1] }), {
      ...recordOf({ a: [3, 4], fresh: [1] }),
      machine: { ...machine, cpu: "another" },
    });
    expect(text).toContain("Changed beyond the spread: a (worse, 3.00).");
    expect(text).toContain("Only before: rate, old.");
    expect(text).toContain("Only now: rate, fresh.");
    expect(text).toContain("Not the same machine");
    expect(comparisonText(recordOf({ a: [1] }), recordOf({ a: [1] }))).toContain("No figure changed");
  });
});

describe("the README's table", () => {
  it("is what its file of figures makes of it", () => {
    const readme = readFileSync(place("README.md"), "utf8");
    // Made anew by: npm run bench -- --readme bench/results/readme.json
    expect(withTable(readme, readRecord(place("bench/results/readme.json")))).toBe(readme);
  });

  it("shows figures of benches that there are, with what they are beside and what is missing", () => {
    for (const name of Object.keys(shownFigures)) expect(Object.keys(benches)).toContain(name);
    expect(Object.keys(shownBenches)).toEqual(Object.keys(shownFigures));
    const [name] = shownFigures["rate"];
    const record = { ...recordOf({ [name]: [9.25, 9.5] }), missing: [{ bench: "gossip", what: "numpy", why: "none" }] };
    const text = tableText(record);
    expect(text).toContain(
      "| exact rate, D-EquiStatic, n = 1,000,000, M = 70 | 9.25 ms | 18.5 ms, numpy | `npm run bench -- rate` |",
    );
    expect(text).toContain("Not measured there: numpy (none).");
    expect(text).toContain("2026-01-02: the best of several, each beside");
    const [, second] = shownFigures["rate"];
    expect(tableText(recordOf({ [name]: [9.25, 9.5], [second]: [1] }))).toContain(
      "of several, or once what takes long,",
    );
    expect(tableText(recordOf({ [name]: [9.25] }))).toContain("2026-01-02: once, each");
    expect(text).toContain("a processor, 2 cores, 8 GB, Linux 6, Node 20.20.0, abc, 2026-01-02");
    expect(() => withTable("no table here", record)).toThrow(/must have a line/);
  });
});
