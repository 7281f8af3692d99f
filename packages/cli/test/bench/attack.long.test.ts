/** No request ends a server: a hundred thousand odd ones against the studio, a room and its Node peers (bench/attack.ts). */

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attacks } from "../../../../bench/attack.ts";
import { scratch } from "../command.ts";

const folder = scratch();

test.each(Object.keys(attacks))("%s goes on, and holds little more than before", { timeout: 600_000 }, async (name) => {
  const { sent, held, well, why } = await attacks[name](100_000, 7, mkdtempSync(join(folder, "attack-")));
  expect(well, why).toBe(true);
  expect(sent).toBeGreaterThanOrEqual(33_000);
  expect(held).toBeLessThan(250);
});
