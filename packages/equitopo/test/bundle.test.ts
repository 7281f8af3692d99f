/** What a program pays for: one topology must not bring in every kernel. */

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../dist/index.js", import.meta.url));

/** Bytes of a program, bundled and minified. */
async function bundled(program: string): Promise<number> {
  const entry = "\0program";
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? entry : id === "equitopo" ? root : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
    build: { write: false, minify: true, modulePreload: false, rollupOptions: { input: "program", treeshake: true } },
  });
  if (Array.isArray(result) || !("output" in result)) throw new Error("one bundle was expected");
  return result.output.reduce((sum, chunk) => sum + (chunk.type === "chunk" ? chunk.code.length : 0), 0);
}

test.each([
  ["ring", 15_000],
  ["onePeerExp", 15_000],
  ["complete", 15_000],
])("%s alone takes at most %i bytes", async (name, most) => {
  const bytes = await bundled(`import { ${name} } from "equitopo"; console.log(${name}({ n: 17 }).rate());`);
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThanOrEqual(most);
});

test("the root has what a user would guess, and no more", async () => {
  const values = Object.keys(await import("../src/index.ts"));
  expect(values.length).toBeLessThanOrEqual(67);
  expect(values).toEqual(
    expect.arrayContaining([
      ...["circulantTopology", "graphTopology", "sparseTopology", "defineTopology", "topologies"],
      ...["defineAlgorithm", "initialState", "doublyStochastic", "columnStochastic", "staticSymmetric", "anyWeights"],
      ...["defineProblem", "customProblem", "option", "Registry", "InputError", "simulate", "gossip", "runSpec"],
    ]),
  );
});
