/** `equitopo start` as a newcomer runs it: the README shows what it prints, and its picture is the one drawn. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch, spawned } from "../command.ts";

const root = new URL("../../../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");

test("the README shows what the first command prints, and its figure", () => {
  const out = join(scratch(), "start");
  const { status, stdout, stderr } = spawned(`start --out ${out}`);
  expect(status).toBe(0);
  expect(stderr).toContain(`figure: ${join(out, "first-minute.svg")}`);
  expect(read("README.md")).toContain(stdout.trim());
  expect(read("docs/first-minute.svg")).toBe(readFileSync(join(out, "first-minute.svg"), "utf8"));
  expect(read("README.md")).toContain("](docs/first-minute.svg)");
}, 300_000);
