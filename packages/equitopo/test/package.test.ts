/**
 * The library as npm would pack it: nothing missing, nothing odd, and typed for consumers of both resolutions. All packages,
 * installed, are tried by the dry run of a release (packages/cli/test/release.long.test.ts).
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typeErrors } from "./examples.ts";

const packageFolder = fileURLToPath(new URL("../", import.meta.url));
const consumer = mkdtempSync(join(tmpdir(), "equitopo-consumer-"));
const installed = join(consumer, "node_modules", "equitopo");
let files: string[] = [];

beforeAll(() => {
  const flags = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", consumer];
  const output = execFileSync("npm", flags, {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(output) as { filename: string; files: { path: string }[] }[];
  files = packed.files.map(({ path }) => path);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(consumer, packed.filename), "-C", installed, "--strip-components=1"]);
});

afterAll(() => {
  rmSync(consumer, { recursive: true, force: true });
});

test("it holds the built files, their sources and the licence, and nothing else", () => {
  expect(files).toContain("dist/index.js");
  expect(files).toContain("dist/index.d.ts");
  expect(files).toContain("src/index.ts");
  expect(files).toContain("LICENSE");
  const odd = files.filter((path) => !/^(dist|src)\/.+\.(js|ts|map)$|^(package\.json|LICENSE|README\.md)$/.test(path));
  expect(odd).toEqual([]);
});

const program = `import { createTopology, dEquiStatic, InputError, predictedRounds, type Topology } from "equitopo";

const graph: Topology = dEquiStatic({ n: 17, basis: [15, 11, 8, 10] });
const rate: number = graph.rate().rate;
if (rate.toFixed(4) !== "0.5538") throw new Error(String(rate));
if (predictedRounds(graph, 1e-6) !== 24) throw new Error(String(predictedRounds(graph, 1e-6)));
try {
  createTopology({ name: "rink", n: 17 });
} catch (error) {
  if (!(error instanceof InputError) || error.remedy !== "did you mean ring?") throw error;
}
`;

const resolutions: [string, ts.CompilerOptions][] = [
  ["node16", { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
  ["bundler", { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
];

test.each(resolutions)("a consumer with moduleResolution %s sees its types", (_name, options) => {
  // A library's own declarations are checked too (skipLibCheck off), without Node's types and without the DOM.
  const check = (name: string, code: string) => {
    writeFileSync(join(consumer, name), code);
    return typeErrors([join(consumer, name)], { ...options, target: ts.ScriptTarget.ES2022, skipLibCheck: false });
  };
  expect(check("right.mts", program)).toEqual([]);
  const wrong = check("wrong.mts", 'import { ring } from "equitopo";\nexport const n: string = ring({ n: 3 }).n;\n');
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toContain("Type 'number' is not assignable to type 'string'");
});

test("a consumer runs it", () => {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  writeFileSync(join(consumer, "right.mjs"), outputText);
  execFileSync(process.execPath, [join(consumer, "right.mjs")], { stdio: "pipe" });
});
