import { folderFormat, journalLine, journalSalt } from "equitopo/internal/run";
import { expect, test } from "vitest";
import { readRun } from "../../src/runs/read.ts";
import { runsAmong } from "../../src/runs/run-files.ts";

const file = (path: string) => ({ path, bytes: 1, read: async () => new Uint8Array(1) });
const bytes = (text: string) => new TextEncoder().encode(text);

test("runs are the folders with a spec.json, wherever they lie among the files", () => {
  const runs = runsAmong(
    ["runs/b/spec.json", "runs/b/journal.ndjson", "runs/b/checkpoints/x", "runs/a/spec.json", "runs/notes.txt"].map(
      file,
    ),
  );
  expect(runs.map(({ name, files }) => [name, [...files.keys()]])).toEqual([
    ["a", ["spec.json"]],
    ["b", ["spec.json", "journal.ndjson"]],
  ]);
  expect(runsAmong([file("spec.json")]).map(({ name }) => name)).toEqual(["run"]);
  expect(runsAmong([file("holiday.jpg")])).toEqual([]);
});

/** A folder of gossip: two repeats of a ring, of which one is finished, and a star. */
function gossipFolder(): Map<string, Uint8Array> {
  const keys = ["Ring n=5 repeat=0", "Ring n=5 repeat=1", "Star n=5 repeat=0"];
  const units = keys.map((key) => ({ key: `consensus: ${key}`, unit: { kind: "gossip", key } }));
  const spec = { format: folderFormat, experiments: ["consensus"], scale: "quick", units };
  const line = (k: number, errors: number[]) =>
    journalLine({ key: units[k].key, value: { errors } }, journalSalt(spec));
  return new Map([
    ["spec.json", bytes(JSON.stringify(spec))],
    ["journal.ndjson", bytes(`${line(0, [4, 2, 1])}\n${line(2, [8, 2, 0.5])}\n`)],
    ["consensus-final.ndjson", bytes('{"topology":"ring","rounds":{"$":"Infinity"}}\n')],
    ["consensus.ndjson", bytes('{"panel":"a"}\n')],
    ["consensus.svg", bytes("<svg/>")],
  ]);
}

test("a folder of another experiment: its curves from the journal, its stored tables, and what is missing", () => {
  const { outcomes, tables, figures, troubles } = readRun("mine", gossipFolder());
  expect(outcomes).toHaveLength(1);
  expect(outcomes[0].figures[0].panels["rounds"].series).toEqual([
    { label: "Ring n=5", x: [0, 1, 2], mean: [4, 2, 1], low: [4, 2, 1], high: [4, 2, 1] },
    { label: "Star n=5", x: [0, 1, 2], mean: [8, 2, 0.5], low: [8, 2, 0.5], high: [8, 2, 0.5] },
  ]);
  expect(tables).toEqual([
    { name: "consensus-final", columns: ["topology", "rounds"], rows: [["ring", Number.POSITIVE_INFINITY]] },
  ]);
  expect(figures).toEqual([{ name: "consensus", svg: "<svg/>" }]);
  expect(troubles).toEqual(["1 of 3 units of work not finished."]);
});

test("a file that was too large to be read is not called changed", () => {
  const files = gossipFolder().set("files.json", bytes(JSON.stringify({ "model.safetensors": "00", "a.csv": "00" })));
  const { troubles } = readRun("mine", files, ["model.safetensors"]);
  expect(troubles[0]).toBe("Missing or changed since the run ended: a.csv.");
});
