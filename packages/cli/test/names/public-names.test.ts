/**
 * The names that programs may import, types too, by entry point. The list is kept in public-names.txt, so that a change of it
 * is seen (`npx vitest run -u` writes it again); names-before.txt has what entry points had before they were cut down.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "experiments"];

interface Door {
  /** What a program writes: `equitopo/peer`. */
  readonly name: string;
  /** Its declarations. */
  readonly file: string;
}

function doorsOf(folder: string): Door[] {
  const manifest = join(root, folder, "package.json");
  if (!existsSync(manifest)) return [];
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8"));
  return Object.entries<{ types?: string }>(exports).flatMap(([subpath, { types }]) => {
    if (types === undefined) return [];
    if (!subpath.includes("*")) return [{ name: `${name}${subpath.slice(1)}`, file: join(root, folder, types) }];
    const inside = readdirSync(join(root, folder, types, "..")).filter((file) => file.endsWith(".d.ts"));
    return inside.map((file) => {
      const part = file.replace(".d.ts", "");
      return { name: `${name}${subpath.slice(1).replace("*", part)}`, file: join(root, folder, types, "..", file) };
    });
  });
}

/** Every entry point's names, each with where it is declared. */
function namesOf(doors: readonly Door[]): Map<string, Map<string, string>> {
  const options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const program = ts.createProgram(
    doors.map(({ file }) => file),
    { ...options, target: ts.ScriptTarget.ESNext, skipLibCheck: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const declared = (symbol: ts.Symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return `${target.declarations?.[0]?.getSourceFile().fileName.slice(root.length)} ${target.name}`;
  };
  return new Map(
    doors.map(({ name, file }) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${name} exports nothing`);
      const names = checker.getExportsOfModule(module).map((symbol) => [symbol.name, declared(symbol)] as const);
      return [name, new Map(names.sort(([a], [b]) => (a < b ? -1 : 1)))];
    }),
  );
}

const all = namesOf(folders.flatMap(doorsOf));
const isInternal = (door: string) => /\/internal(\/|$)/.test(door);
const open = [...all].filter(([door]) => !isInternal(door));

describe("public names", () => {
  test("are those of the list", async () => {
    const text = open.map(([door, names]) => `${[`# ${door}`, ...names.keys()].join("\n")}\n`).join("\n");
    await expect(text).toMatchFileSnapshot("public-names.txt");
  });

  test("have one meaning", () => {
    const meanings = new Map<string, Set<string>>();
    for (const [, names] of open) {
      for (const [name, where] of names) meanings.set(name, (meanings.get(name) ?? new Set()).add(where));
    }
    expect([...meanings].filter(([, places]) => places.size > 1)).toEqual([]);
  });

  test("that left an entry point are at internal of its package", () => {
    const before = readFileSync(new URL("names-before.txt", import.meta.url), "utf8").split("\n\n");
    const gone = before.flatMap((part) => {
      const [head, ...names] = part.trim().split("\n");
      const door = head.replace("# ", "");
      const owner = /^(@[^/]+\/)?[^/]+/.exec(door)![0];
      const places = [door, `${owner}/internal`, `${owner}/internal/${door.slice(owner.length + 1) || "root"}`];
      return names
        .filter((name) => !places.some((place) => all.get(place)?.has(name)))
        .map((name) => `${name} of ${door}`);
    });
    expect(before.length).toBeGreaterThan(20);
    expect(gone).toEqual([]);
  });

  test("exist where a program runs, too", async () => {
    const found = await import("equitopo/internal");
    expect(Object.keys(found).length).toBeGreaterThan(300);
  });
});
