/** Every example of the README, the docs and the doc comments compiles under strict, runs, and is right. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type Example, extract, findExamples, transpile, typeErrors, withChecks } from "./examples.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
// Inside node_modules, so that `import ... from "equitopo"` finds the built package as it would anywhere.
const folder = join(root, "node_modules", ".cache", "equitopo-examples");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const examples = findExamples(root);
const fileName = ({ file, line }: Example) => join(folder, `${file.replace(/[^\w]+/g, "-")}-${line}.mts`);

/** Runs an example as Node would, outside the test runner's own module loader. */
async function run(example: Example): Promise<void> {
  const path = fileName(example).replace(/\.mts$/, ".mjs");
  writeFileSync(path, transpile(withChecks(example)));
  await import(/* @vite-ignore */ pathToFileURL(path).href);
}

describe("examples", () => {
  test.each(
    examples.filter((example) => example.run).map((example) => [`${example.file}:${example.line}`, example] as const),
  )("%s", async (_name, example) => {
    await run(example);
  });

  test("all of them pass the type checker under strict", () => {
    for (const example of examples) writeFileSync(fileName(example), example.code);
    const errors = typeErrors(examples.map(fileName), {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      skipLibCheck: true,
      typeRoots: [join(root, "node_modules", "@types")],
      types: ["node"],
    });
    expect(errors).toEqual([]);
  });

  test("programs of the first pages pass what `tsc --init` of today asks for, which is more than strict", () => {
    const first = examples.filter(({ file }) => ["README.md", "docs/start.md"].includes(file));
    expect(first.length).toBeGreaterThanOrEqual(2);
    for (const example of first) writeFileSync(fileName(example), example.code);
    const errors = typeErrors(first.map(fileName), {
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, lib: ["lib.esnext.d.ts", "lib.dom.d.ts"] },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true },
      ...{ verbatimModuleSyntax: true, isolatedModules: true, noUncheckedSideEffectImports: true },
      moduleDetection: ts.ModuleDetectionKind.Force,
    });
    expect(errors).toEqual([]);
  });

  test("the public functions do have examples", () => {
    const files = new Set(examples.map(({ file }) => file));
    expect(files.size).toBeGreaterThan(10);
    expect(files).toContain("packages/equitopo/src/topology/d-equistatic.ts");
  });
});

describe("the checks themselves", () => {
  const example = (code: string): Example => ({ file: "here.md", line: 10, code, run: true });

  test("blocks are found in pages and doc comments, with their lines; other languages are left alone", () => {
    const page = "# A\n\n```ts\nlet a = 1;\n```\n\n```sh\nls\n```\n\n- b\n\n  ```ts no-run\n  b();\n  ```\n";
    expect(extract(page, "a.md")).toEqual([
      { file: "a.md", line: 4, code: "let a = 1;\n", run: true },
      { file: "a.md", line: 14, code: "b();\n", run: false },
    ]);
    const source = "/**\n * Text.\n * ```ts\n * if (a) {\n *   b();\n * }\n * ```\n */\n";
    expect(extract(source, "a.ts")).toEqual([{ file: "a.ts", line: 4, code: "if (a) {\n  b();\n}\n", run: true }]);
    expect(() => extract("```ts\n", "a.md")).toThrow("without an end");
  });

  test("true claims pass: expressions, console.log, const, several lines, values of every kind", async () => {
    const code = `const list = [1, 2]; // => [1, 2]
list.map((x) => x + 1) // => [2, 3]
[0.1 + 0.2].length // => 1
console.log(-0) // => -0
list
  .join("; ") // => "1; 2"
Number.NaN // => NaN
`;
    await run(example(code));
  });

  test.each([
    ["1 + 1 // => 3", "here.md:10: 2 is not 3"],
    ["const a = 1;\n[a, a] // => [1, 2]", "here.md:11: [ 1, 1 ] is not [ 1, 2 ]"],
    ['const b = "x"; // => "y"', "here.md:10: 'x' is not 'y'"],
    ["console.log(0) // => -0", "here.md:10: 0 is not -0"],
    ["if (true) {\n  1 // => 1\n}", 'here.md:11: "// =>" must follow'],
    ["throw new Error('as it stands');", "as it stands"],
  ])("%j does not pass", async (code, message) => {
    // A file of its own: a module that failed once is not loaded again.
    const path = join(folder, `wrong-${Buffer.from(code).toString("hex").slice(0, 60)}.mjs`);
    await expect(async () => {
      writeFileSync(path, transpile(withChecks(example(code))));
      await import(/* @vite-ignore */ pathToFileURL(path).href);
    }).rejects.toThrow(message);
  });

  test("wrong types do not pass", () => {
    const path = join(folder, "wrong-types.mts");
    writeFileSync(path, 'const a: number = "1";\nexport { a };\n');
    const errors = typeErrors([path], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("wrong-types.mts:1: Type 'string' is not assignable to type 'number'");
  });
});
