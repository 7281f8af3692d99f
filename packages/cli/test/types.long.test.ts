/**
 * The types of all packages for the oldest TypeScript that the README names and for the newest, under both ways in which
 * programs find packages. Declarations are checked too (skipLibCheck off), since a program of an installed user checks them.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import newest from "typescript";
import { afterAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
// A workspace of its own keeps it apart from the compiler of this project.
const oldest: typeof newest = createRequire(join(root, "scripts/oldest-typescript/package.json"))("typescript");
const compilers = [oldest, newest];
// Inside node_modules, where packages are found as they are anywhere.
const folder = join(root, "node_modules", ".cache", "equitopo-types");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { exports } = JSON.parse(readFileSync(join(root, "packages/equitopo/package.json"), "utf8"));
const library = Object.keys(exports)
  .filter((path) => path !== "./package.json" && !path.includes("*"))
  .map((path) => path.replace(/^\./, "equitopo"));
const forNode = ["nn", "web", "node", "rtc", "mpi", "experiments"].map((name) => `@equitopo/${name}`);

const everything = (names: readonly string[]) =>
  names.map((name, k) => `import * as all${k} from "${name}";\nexport { all${k} };\n`).join("");

const program = `import { createTopology, dEquiStatic, InputError, type Topology } from "equitopo";

const graph: Topology = dEquiStatic({ n: 17, basis: [15, 11, 8, 10] });
export const rate: number = graph.rate().rate;
export const names: string[] = [createTopology({ name: "ring", n: 17 }).name, InputError.name];
`;

/** What is wrong, by one of the compilers. */
function errors(
  ts: typeof newest,
  code: string,
  how: "nodenext" | "bundler",
  lib: string[],
  types: string[],
): string[] {
  const file = join(folder, "program.mts");
  writeFileSync(file, code);
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, target: ts.ScriptTarget.ES2022, types },
    lib: lib.map((name) => `lib.${name}.d.ts`),
    typeRoots: [join(root, "node_modules", "@types"), join(root, "node_modules")],
    ...(how === "nodenext"
      ? { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
      : { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }),
  };
  const compiled = ts.createProgram([file], options);
  // Declarations of the compiler itself and of Node are theirs to check, and the most of the work.
  const ours = compiled.getSourceFiles().filter(({ fileName }) => !/\/typescript\/lib\/|\/@types\//.test(fileName));
  return [
    ...compiled.getGlobalDiagnostics(),
    ...ours.flatMap((one) => [...compiled.getSyntacticDiagnostics(one), ...compiled.getSemanticDiagnostics(one)]),
  ].map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
}

test("the oldest TypeScript is the one that the README names", () => {
  const [, named] = /need (\d+\.\d+) or later/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  expect(oldest.versionMajorMinor).toBe(named);
});

describe(`TypeScript ${oldest.version}`, () => {
  test("the library, without the types of Node and of browsers", () => {
    expect(errors(oldest, program, "nodenext", ["es2022"], [])).toEqual([]);
  });

  test("every package but GPUs' in Node, without the types of browsers", () => {
    expect(errors(oldest, everything([...library, ...forNode]), "nodenext", ["es2023"], ["node"])).toEqual([]);
  });

  test("GPUs' too, with the types of browsers and of WebGPU", () => {
    const all = everything(["equitopo", "@equitopo/web", "@equitopo/gpu"]);
    expect(errors(oldest, all, "bundler", ["es2023", "dom"], ["node", "@webgpu/types"])).toEqual([]);
  });
});

test(`TypeScript ${newest.version}: every package, with the types of browsers, which know WebGPU by now`, () => {
  const all = everything([...library, ...forNode, "@equitopo/gpu"]);
  expect(errors(newest, all, "nodenext", ["es2023", "dom"], ["node"])).toEqual([]);
});

test.each(compilers.map((ts) => [ts.version, ts] as const))(
  "TypeScript %s: real peers without the types of Node, in a program that has those of browsers",
  (_version, ts) => {
    const all = everything(["equitopo/peer", "@equitopo/web", "@equitopo/node", "@equitopo/mpi"]);
    expect(errors(ts, all, "nodenext", ["es2023", "dom"], [])).toEqual([]);
  },
);

/** A plug-in that declares its family, and who uses it. */
const plugged = `import { classificationFamily } from "@equitopo/nn";
import { createTopology, defineTopology, expandSpec, option, ring, type SpecDocument } from "equitopo";

const options = { k: option.whole(1, 1) };
export const hop = defineTopology({ name: "hop", summary: "", source: "", options, create: ({ n }) => ring({ n }) });
declare module "equitopo" {
  interface TopologyMembers { hop: typeof hop }
}
createTopology({ name: "hop", n: 5, k: 2 });
const document = {
  topologies: [{ name: "hop", n: 5, k: 2 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "classification", model: "softmax-regression" },
} satisfies SpecDocument;
export const runs = [expandSpec(document), classificationFamily];
`;

describe.each(compilers.map((ts) => [ts.version, ts] as const))("TypeScript %s", (_version, ts) => {
  const found = (code: string) => errors(ts, code, "nodenext", ["es2023"], ["node"]);

  test("knows the families of plug-ins that declare them", () => {
    expect(found(plugged)).toEqual([]);
  });

  test.each([
    ['name: "dsgt"', 'name: "dsgtt"', /name: "dsgtt"/],
    ["learningRate", "learnignRate", /'learnignRate' does not exist|'name' are incompatible/],
    ['model: "softmax-regression"', "modle: 3", /modle|'"classification"' is not assignable/],
    ["k: 2 }]", "hops: 2 }]", /'hops' does not exist|'name' are incompatible/],
  ])("refuses %s written as %s", (right, wrong, message) => {
    expect(found(plugged.replace(right, wrong)).join()).toMatch(message);
  });
});

test.each(compilers.map((ts) => [ts.version, ts] as const))(
  "TypeScript %s tells a wrong program so",
  (_version, ts) => {
    const wrong = 'import { ring } from "equitopo";\nexport const n: string = ring({ n: 3 }).n;\n';
    expect(errors(ts, wrong, "bundler", ["es2022"], [])).toEqual([
      expect.stringContaining("Type 'number' is not assignable to type 'string'"),
    ]);
  },
);
