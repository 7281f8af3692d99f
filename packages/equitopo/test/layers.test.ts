/**
 * The house has floors, and everything stands on what is below it. The import graph is read off the sources of all packages, the
 * studies and the benches: `.ts` and `.tsx`, subfolders, static and dynamic imports and re-exports, of types too.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The library's folders from the ground up: a folder imports from those before it in the list. */
const floors = [
  ...["input", "number", "kernel", "random", "round", "rate", "design", "topology", "robust"],
  ...["faults", "problem", "algorithm", "run", "peer", "theory", "advise", "testing", "picture", "outcome"],
];

/** The folders of src/peer in the same order; its index.ts exports what a program needs of all of them. */
const peerFloors = ["history", "exchange", "mixing", "network", "async", "course", "elastic", "report"];

/** Where a package's sources lie, and which other packages they may import. */
const packages: Readonly<Record<string, { readonly folder: string; readonly imports: readonly string[] }>> = {
  equitopo: { folder: "packages/equitopo/src", imports: [] },
  "@equitopo/nn": { folder: "packages/nn/src", imports: ["equitopo"] },
  "@equitopo/web": { folder: "packages/web/src", imports: ["equitopo"] },
  "@equitopo/rtc": { folder: "packages/rtc/src", imports: ["equitopo", "@equitopo/web"] },
  "@equitopo/node": { folder: "packages/node/src", imports: ["equitopo", "@equitopo/web"] },
  "@equitopo/mpi": { folder: "packages/mpi/src", imports: ["equitopo"] },
  "@equitopo/gpu": { folder: "packages/gpu/src", imports: ["equitopo", "@equitopo/nn"] },
  "@equitopo/experiments": { folder: "experiments", imports: ["equitopo"] },
  "@equitopo/studio": {
    folder: "packages/studio/src",
    imports: ["equitopo", "@equitopo/nn", "@equitopo/web", "@equitopo/gpu"],
  },
  "@equitopo/cli": {
    folder: "packages/cli/src",
    imports: [
      "equitopo",
      ...["nn", "node", "mpi", "gpu", "experiments", "web", "rtc"].map((name) => `@equitopo/${name}`),
    ],
  },
  "@equitopo/bench": {
    folder: "bench",
    imports: [
      "equitopo",
      ...["nn", "node", "mpi", "gpu", "experiments", "web", "rtc"].map((name) => `@equitopo/${name}`),
    ],
  },
};

interface Import {
  /** Files, relative to the package's sources; of another package its name. */
  readonly from: string;
  readonly to: string;
  readonly type: boolean;
}

/** `import ... from`, `export ... from`, `import "x"` and `import("x")`; the first group says whether only types come. */
const statement = /(?:\b(?:import|export)\s+(type\s+)?(\{[^}]*\}|[\w*\s,{}]*?)\s*from\s*|\bimport\s*\(?\s*)"([^"]+)"/g;

const source = /\.tsx?$/;

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => source.test(path) && !path.endsWith(".d.ts"))
    .filter((path) => !/(^|\/)(node_modules|dist|assembly)\//.test(path));
}

/** Examples in doc comments import, too; they are not meant here. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

function importsIn(folder: string): Import[] {
  return filesOf(folder).flatMap((from) =>
    [...withoutComments(readFileSync(join(root, folder, from), "utf8")).matchAll(statement)].map(
      ([, type, names = "", target]) => ({
        from,
        to: target.startsWith(".") ? join(dirname(from), target).replaceAll("\\", "/") : target,
        type: type !== undefined || onlyTypes(names),
      }),
    ),
  );
}

/** `{ type A, type B }` brings no value either. */
function onlyTypes(names: string): boolean {
  const list = names.trim().match(/^\{([^}]*)\}$/)?.[1];
  const each = (list ?? "").split(",").filter((name) => name.trim() !== "");
  return each.length > 0 && each.every((name) => /^\s*type\s/.test(name));
}

/** Strongly connected parts of more than one node, by Tarjan. */
function cycles(edges: readonly (readonly [string, string])[]): string[][] {
  const after = new Map<string, string[]>();
  for (const [from, to] of edges) after.set(from, [...(after.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (node: string) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    path.push(node);
    for (const next of after.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== order.get(node)) return;
    const part = path.splice(path.indexOf(node));
    if (part.length > 1) found.push(part.sort());
  };
  for (const node of after.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** A file's folder at the top of its package, or the file itself. */
const floorOf = (path: string) => path.split("/")[0];

const isIndex = (path: string) => path === "index.ts" || path.startsWith("internal");

describe.each(Object.entries(packages))("%s", (_, { folder, imports }) => {
  const all = importsIn(folder);
  const own = all.filter(({ to }) => source.test(to));

  test("is seen, and every file that it imports is there", () => {
    expect(all.length).toBeGreaterThan(3);
    const generated = /(^|\/)wasm[\w-]*\.ts$/;
    const missing = own.filter(({ to }) => !generated.test(to) && !existsSync(join(root, folder, to)));
    expect(missing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("imports no package that it should not know", () => {
    const foreign = all
      .map(({ from, to }) => ({ from, to: to.match(/^(@equitopo\/[^/]+|equitopo)(\/|$)/)?.[1] }))
      .filter(({ to }) => to !== undefined && !imports.includes(to));
    expect(foreign.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("has no cycle between folders", () => {
    const between = own.filter(({ from, to }) => !isIndex(from) && floorOf(from) !== floorOf(to));
    const parts = cycles(between.map(({ from, to }) => [floorOf(from), floorOf(to)]));
    // Files beside each other at the top are one folder: they may know each other's types.
    expect(parts.filter((part) => part.some((floor) => !source.test(floor)))).toEqual([]);
  });

  test("has no cycle of values between files", () => {
    expect(cycles(own.filter(({ type }) => !type).map(({ from, to }) => [from, to]))).toEqual([]);
  });

  test("has cycles of types inside one folder only", () => {
    const across = cycles(own.map(({ from, to }) => [from, to])).filter((part) => new Set(part.map(dirname)).size > 1);
    expect(across).toEqual([]);
  });
});

/** Imports from one folder of the list to another that is not below it, or that is in no folder of the list. */
function upwards(imports: readonly Import[], list: readonly string[], under = ""): string[] {
  const height = (path: string) => list.indexOf(floorOf(path.slice(under.length)));
  const between = imports
    .filter(({ from, to }) => [from, to].every((path) => path.startsWith(under) && !isIndex(path.slice(under.length))))
    .filter(({ from, to }) => floorOf(from.slice(under.length)) !== floorOf(to.slice(under.length)));
  expect(between.length).toBeGreaterThan(50);
  const wrong = between.filter(({ from, to }) => height(from) < 0 || height(to) < 0 || height(to) >= height(from));
  return wrong.map(({ from, to }) => `${from} -> ${to}`);
}

test("the library's folders, and those of peer, import downwards only, in the stated order", () => {
  const own = importsIn(packages["equitopo"].folder).filter(({ to }) => source.test(to));
  expect(upwards(own, floors)).toEqual([]);
  expect(upwards(own, peerFloors, "peer/")).toEqual([]);
});

test("nothing of the library but what came of runs imports pictures, its index included; internal only passes them on", () => {
  const imports = importsIn(packages["equitopo"].folder).filter(({ to }) => floorOf(to) === "picture");
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ from }) => !["picture", "outcome", "internal"].includes(floorOf(from)))).toEqual([]);
});

test("the library knows no runtime", () => {
  const runtime = importsIn(packages["equitopo"].folder).filter(({ to }) => to.startsWith("node:"));
  expect(runtime.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("the library takes clocks, timers and random bits from the machine in one place", () => {
  const { folder } = packages["equitopo"];
  const machine =
    /\b(performance\.now|Date\.now|new Date|Math\.random|getRandomValues|setTimeout|setInterval|setImmediate)\b/;
  const found = filesOf(folder).filter((path) =>
    machine.test(withoutComments(readFileSync(join(root, folder, path), "utf8"))),
  );
  expect(found.sort()).toEqual(["peer/exchange/runtime.ts", "run/steps.ts"]);
});

test("only the commands for the studies load them: a spec of one's own does not go through the paper", () => {
  const users = Object.values(packages).flatMap(({ folder }) =>
    importsIn(folder)
      .filter(({ to }) => to.startsWith("@equitopo/experiments"))
      .map(({ from }) => `${folder}/${from}`),
  );
  expect(users.sort()).toEqual(["packages/cli/src/command/reproduce.ts", "packages/cli/src/command/start.ts"]);
});
