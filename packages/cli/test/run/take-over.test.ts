/** Units that other folders have finished: what is the same is taken over, by whatever name, and nothing else. */

import { join } from "node:path";
import { experiments, type LearningUnit, type Unit } from "@equitopo/experiments/internal";
import { folderFormat } from "equitopo/internal/run";
import { beforeAll, expect, test } from "vitest";
import { openRunFolder } from "../../src/folder/run-folder.ts";
import { takeOver } from "../../src/run/take-over.ts";
import { equitopo, json, scratch } from "../command.ts";

const home = scratch();
const run = { label: "ring", topology: { name: "ring", n: 3 }, rounds: 5, seed: 1 };
const unitOf = (key: string, changes: object) =>
  ({ kind: "learning", key, run: { ...run, label: key, ...changes } }) as unknown as Unit;
const wanted = (key: string, changes: object = {}) => ({ key: `table: ${key}`, unit: unitOf(key, changes) });
const folder = join(home, "elsewhere");

beforeAll(async () => {
  const units = [wanted("one"), wanted("two", { seed: 2 })];
  const spec = { format: folderFormat, experiments: ["table"], scale: "full", units };
  const there = await openRunFolder(folder, { spec, version: "0.0.9" });
  await there.journal.store("table: one", { accuracy: 0.5 });
  await there.journal.close();
});

test("a finished unit serves under another name; an unfinished one, or one that asks for more, does not", () => {
  const { results, versions } = takeOver(
    [wanted("one seed=1"), wanted("two", { seed: 2 }), wanted("longer", { rounds: 6 })],
    [folder],
  );
  expect([...results]).toEqual([["table: one seed=1", { accuracy: 0.5 }]]);
  expect(versions.map((one) => one.equitopo)).toEqual(["0.0.9"]);
});

test("a folder that has nothing of it, or is none, is refused", () => {
  expect(() => takeOver([wanted("two", { seed: 2 })], [folder])).toThrow(/some of the units that are asked for/);
  expect(() => takeOver([wanted("one")], [join(home, "nowhere")])).toThrow(/needs the folder of a run/);
});

test("a table that is all taken over needs no data, no device and no work", async () => {
  const cifar10 = experiments.find(({ name }) => name === "cifar10")!;
  const units = cifar10.choose!({ epochs: 26, rows: ["Ring"], seeds: [2], protocols: ["as-run"] }).units("full");
  const there = join(home, "lent");
  const plan = units.map((unit) => ({
    key: unit.key,
    unit: { ...unit, run: { ...(unit as LearningUnit).run, precision: "mixed" } },
  }));
  const spec = { format: folderFormat, experiments: ["cifar10"], scale: "full", units: plan };
  const folder = await openRunFolder(there, { spec, version: "0.0.9" });
  const accuracies = { averagedAccuracy: [0.5, 0.75], shareAccuracy: [0.25, 0.5], meanAccuracy: [0.25, 0.5] };
  const metrics = { ...accuracies, trainLoss: [2, 1] };
  await folder.journal.store(units[0].key, { rate: 0.5, bytes: [0, 1e6], evaluations: { updates: [1, 2], metrics } });
  await folder.journal.close();
  const words = "reproduce cifar10 --epochs 26 --rows ring --seeds 2 --protocol as-run --json";
  const found = await json(`${words} --precision mixed --take ${there} --out ${home}/table`);
  expect(found.experiments[0].tables[0].rows[0].slice(0, 3)).toEqual(["Ring", 91.25, 37.5]);
  const other = await equitopo(`${words} --take ${there} --out ${home}/float32`);
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("--take needs a folder with some")]);
});
