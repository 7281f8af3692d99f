import { describe, expect, test } from "vitest";
import { InputError } from "../../src/index.ts";
import { folderFormat, journalLine, journalSalt, readFolder } from "../../src/internal/run.ts";
import { sha256 } from "../../src/number/index.ts";

const unit = (key: string) => ({ key: `run: ${key}`, unit: { kind: "gossip", key } });
const spec = { format: folderFormat, experiments: ["run"], scale: "full", units: [unit("ring"), unit("star")] };
const result = { errors: [1, 0.25, Number.NaN] };
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const line = journalLine({ key: "run: ring", value: result }, journalSalt(spec));

function folder(files: Record<string, unknown>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([name, value]) => [name, bytes(value)]));
}

describe("a run's folder", () => {
  test("has the results of the units that are finished, bit for bit", () => {
    const content = readFolder(folder({ "spec.json": spec, "journal.ndjson": `${line}\n`, "versions.json": { v: 1 } }));
    expect(content.results).toEqual(new Map([["run: ring", result]]));
    expect(content).toMatchObject({ spec, versions: { v: 1 }, damagedLines: 0, complete: false, damagedFiles: [] });
  });

  test("does not count lines that are torn, changed, or of another spec", () => {
    const other = journalLine({ key: "run: star", value: result }, journalSalt({ ...spec, scale: "quick" }));
    const changed = line.replace("0.25", "0.26");
    const content = readFolder(folder({ "spec.json": spec, "journal.ndjson": `${other}\n${changed}\n${line}` }));
    expect([content.results.size, content.damagedLines]).toEqual([0, 3]);
  });

  test("that is complete names the files that are missing or changed", () => {
    const figure = "<svg/>";
    const sums = { "a.svg": sha256(bytes(figure)), "b.svg": sha256(bytes(figure)), "c.svg": sha256(bytes(figure)) };
    const files = folder({ "spec.json": spec, "a.svg": figure, "b.svg": "<svg></svg>", "files.json": sums });
    expect(readFolder(files)).toMatchObject({ complete: true, damagedFiles: ["b.svg", "c.svg"] });
  });

  test.each([
    ["holiday.jpg only", { "holiday.jpg": "" }, /the folder of a run has a spec.json/],
    ["a spec.json that is torn", { "spec.json": '{"format": 2, "exp' }, /spec.json must be JSON/],
    ["a spec.json of something else", { "spec.json": { format: folderFormat } }, /must list experiments/],
    ["a list in its place", { "spec.json": [1] }, /format 2, got 1/],
    ["a newer format", { "spec.json": { ...spec, format: 99 } }, /format 2, got 99; use a newer equitopo/],
  ])("%s is refused with a word on why", (_, files, message) => {
    expect(() => readFolder(folder(files))).toThrow(InputError);
    expect(() => readFolder(folder(files))).toThrow(message);
  });
});
