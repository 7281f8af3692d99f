/** The table of features in docs/spec.md is the drivers' declarations, and `equitopo list --features` prints the same. */

import { features, featureTable } from "equitopo/run";
import { expect, test } from "vitest";
import { specPage, withFeatures } from "../../../../scripts/docs/features.mjs";
import { equitopo } from "../command.ts";

test("docs/spec.md has the table of the declarations (written by node scripts/docs/features.mjs)", () => {
  expect(withFeatures(specPage())).toBe(specPage());
});

test("list --features prints the declarations", async () => {
  const { stdout } = await equitopo("list --features --json");
  const table = JSON.parse(stdout);
  expect(table).toEqual(JSON.parse(JSON.stringify(featureTable())));
  expect(Object.keys(table)).toEqual(["features", "drivers", "pairs"]);
  expect(table.features).toEqual(Object.keys(features));
  const drivers = ["simulator", "simulator-async", "peer", "peer-async", "peer-elastic", "gpu"];
  expect(table.drivers.map(({ name }: { name: string }) => name)).toEqual(drivers);
  for (const driver of table.drivers) {
    expect(Object.keys(driver.features)).toEqual(table.features);
    for (const said of Object.values(driver.features)) expect(said === true || typeof said === "string").toBe(true);
  }
  for (const { driver, a, b, reason } of table.pairs) {
    expect([drivers.includes(driver), table.features.includes(a), table.features.includes(b), reason !== ""]).toEqual([
      ...[true, true, true, true],
    ]);
  }
  const text = await equitopo("list --features");
  for (const name of table.features) expect(text.stdout).toContain(name);
});
