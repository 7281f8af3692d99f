/**
 * The house has floors: folders import downwards only. The import graph is read off the sources; a file that lies in no
 * folder of its package is a floor of its own (index.ts, which exports everything, is nobody's).
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const packages = fileURLToPath(new URL("../../", import.meta.url));

/** The library from the ground up: what stands further down knows nothing of what stands above. */
const floors = [
  ...["input", "number", "kernel", "random", "round", "rate", "design", "topology", "picture", "robust"],
  ...["faults", "problem", "algorithm", "run", "peer", "theory", "advise", "testing"],
];

/** What a package may lean on. */
const ground: Readonly<Record<string, readonly string[]>> = {
  equitopo: [],
  nn: ["equitopo"],
  web: ["equitopo"],
  rtc: ["equitopo", "@equitopo/web"],
  node: ["equitopo", "@equitopo/web"],
  mpi: ["equitopo"],
  gpu: ["equitopo", "@equitopo/nn"],
  cli: [
    "equitopo",
    "@equitopo/nn",
    "@equitopo/node",
    "@equitopo/mpi",
    "@equitopo/gpu",
    "@equitopo/experiments",
    "@equitopo/web",
    "@equitopo/rtc",
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
  /** Said by which file, of which. */
  readonly where: string;
}

/** A file's floor: its folder, or the file itself where it lies at the top. */
const floorOf = (path: string) => path.split("/")[0];

/** Static and dynamic imports and re-exports, types included: who reads a type must know the file. */
const specifier = /(?:\bfrom|\bimport\(|^import)\s*"([^"]+)"/gm;

function sources(name: string): { readonly root: string; readonly files: readonly string[] } {
  const root = join(packages, name, "src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.includes("assembly/"));
  return { root, files };
}

/** Imports between different floors of a package. */
function importsOf(name: string): Import[] {
  const { root, files } = sources(name);
  return files
    .filter((path) => path !== "index.ts")
    .flatMap((path) =>
      [...withoutComments(readFileSync(join(root, path), "utf8")).matchAll(specifier)]
        .filter(([, target]) => target.startsWith("."))
        .map(([, target]) => {
          const to = relative(root, join(root, dirname(path), target)).replaceAll("\\", "/");
          return { from: floorOf(path), to: floorOf(to), where: `${path} -> ${to}` };
        }),
    )
    .filter(({ from, to }) => from !== to);
}

/** Examples in doc comments import, too. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, "");

test("the library's folders stand in the stated order, and import downwards only", () => {
  const imports = importsOf("equitopo").filter(({ where }) => !where.includes(".d.ts"));
  expect(imports.length).toBeGreaterThan(100);
  const height = (floor: string) => floors.indexOf(floor);
  expect(imports.filter(({ from, to }) => height(from) < 0 || height(to) < 0).map(({ where }) => where)).toEqual([]);
  expect(imports.filter(({ from, to }) => height(to) >= height(from)).map(({ where }) => where)).toEqual([]);
});

describe.each(Object.keys(ground))("%s", (name) => {
  test("has no cycle between folders", () => {
    const imports = importsOf(name);
    const above = new Map<string, Set<string>>();
    for (const { from, to } of imports) above.set(from, (above.get(from) ?? new Set()).add(to));
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      [...(above.get(from) ?? [])].some((next) => {
        if (next === goal) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, goal, seen);
      });
    expect(imports.filter(({ from, to }) => reaches(to, from)).map(({ where }) => where)).toEqual([]);
  });

  test("leans on no package that it should not know", () => {
    const { root, files } = sources(name);
    const foreign = files.flatMap((path) =>
      [...withoutComments(readFileSync(join(root, path), "utf8")).matchAll(specifier)]
        .map(([, target]) => target)
        .filter((target) => /^@?equitopo\b/.test(target))
        .map((target) =>
          target
            .split("/")
            .slice(0, target.startsWith("@") ? 2 : 1)
            .join("/"),
        )
        .filter((target) => !ground[name].includes(target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(foreign).toEqual([]);
  });
});

test("the library knows no runtime", () => {
  const { root, files } = sources("equitopo");
  const node = files.filter((path) => /\bfrom "node:/.test(withoutComments(readFileSync(join(root, path), "utf8"))));
  expect(node).toEqual([]);
});
