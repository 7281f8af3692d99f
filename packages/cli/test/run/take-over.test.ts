/** Units that other folders have finished: what is the same is taken over, by whatever name, and nothing else. */

import { join } from "node:path";
import type { Unit } from "@equitopo/experiments";
import { folderFormat } from "equitopo/run";
import { beforeAll, expect, test } from "vitest";
import { RunFolder } from "../../src/report/run-folder.ts";
import { takeOver } from "../../src/run/take-over.ts";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const home = scratch();
const run = { label: "ring", topology: { name: "ring", n: 3 }, rounds: 5, seed: 1 };
const unitOf = (key: string, changes: object) =>
  ({ kind: "learning", key, run: { ...run, label: key, ...changes } }) as unknown as Unit;
const wanted = (key: string, changes: object = {}) => ({ key: `table: ${key}`, unit: unitOf(key, changes) });
const folder = join(home, "elsewhere");

beforeAll(async () => {
  const units = [wanted("one"), wanted("two", { seed: 2 })];
  const spec = { format: folderFormat, experiments: ["table"], scale: "full", units };
  const there = await RunFolder.open(folder, { spec, version: "0.0.9" });
  await there.store("table: one", { accuracy: 0.5 });
  await there.close();
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

test("a reproduction that is all taken over gives the same tables and checks", async () => {
  const [a, b] = [join(home, "a"), join(home, "b")];
  const words = "reproduce consensus-log-degree --quick --quiet";
  const first = parsed(spawned(`${words} --json --out ${a}`));
  const second = parsed(spawned(`${words} --json --take ${a} --out ${b}`));
  expect(second.experiments).toEqual(first.experiments);
  const none = await equitopo(`${words} --take ${folder} --out ${home}/c`);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("--take needs a folder with some")]);
});
