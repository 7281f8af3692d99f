/** The list of `npm run mutants` is about this library as it is: every text is there once, and the tests are. */

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Mutant {
  readonly file: string;
  readonly what: string;
  readonly text: string;
  readonly instead: string;
  readonly tests: readonly string[];
}

const { mutants, survivors }: { mutants: readonly Mutant[]; survivors: Readonly<Record<string, string>> } =
  await import(
    // @ts-expect-error a script without types
    "../../../scripts/mutants/list.mjs"
  );
const place = (path: string) => new URL(path, import.meta.url);
const nameOf = ({ file, what }: Mutant) => `${file}: ${what}`;

test("at least a hundred changes, each of a text that its file has once", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(100);
  const sources = new Map(mutants.map(({ file }) => [file, readFileSync(place(`../src/${file}`), "utf8")]));
  const wrong = mutants.filter(
    ({ file, text, instead }) => sources.get(file)?.split(text).length !== 2 || text === instead,
  );
  expect(wrong.map((mutant) => `${nameOf(mutant)}: ${mutant.text}`)).toEqual([]);
  expect(new Set(mutants.map(nameOf)).size).toBe(mutants.length);
});

test("all tests that are to notice them are there", () => {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  expect(tests.filter((path) => !existsSync(place(path)))).toEqual([]);
});

test("survivors are named with their reasons, on the page as well, and are fewer than one in twenty", () => {
  const names = new Set(mutants.map(nameOf));
  expect(Object.keys(survivors).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(survivors).length).toBeLessThan(mutants.length / 20);
  const page = readFileSync(place("../../../docs/mutants.md"), "utf8");
  for (const [name, reason] of Object.entries(survivors)) expect(page).toContain(`- \`${name}\`: ${reason}`);
});
