/** docs/formats.md names the versions that the code has. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");
const rows = [...read("docs/formats.md").matchAll(/^\| .* \| (\d+) \| (packages\S+) \|$/gm)];

test("the table of formats is there", () => {
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows.map(([, version, file]) => [file, version]))("%s says version %s", (file, version) => {
  expect(/(?:[vV]ersion|Format) = (\d+);/.exec(read(file))?.[1]).toBe(version);
});
