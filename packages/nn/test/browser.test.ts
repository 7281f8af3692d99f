/** The package bundled for a browser: a real Chromium trains to Node's bytes. */

import { build } from "vite";
import { expect, test } from "vitest";
import { launchChromium } from "../../equitopo/test/chromium.ts";

const program = `
  import { createTopology, kernelMixer, simulate, stateHash } from "equitopo";
  import { classification } from "@equitopo/nn";
  globalThis.train = () => {
    const problem = classification({
      ...{ n: 3, data: { name: "synthetic", size: 24 }, images: 90, tests: 30, batch: 8, seed: 5 },
      model: { layers: [
        { kind: "convolution", channels: 6, kernel: 5, relu: true },
        { kind: "max-pool", size: 4 },
        { kind: "batch-norm" },
        { kind: "dropout", rate: 0.2 },
        { kind: "dense", units: 10 },
      ] },
    });
    const { x, evaluations } = simulate({
      topology: createTopology({ name: "od-equidyn", n: 3 }),
      algorithm: { name: "dsgt", learningRate: 0.05 },
      ...{ problem, rounds: 2 * problem.epoch, mixer: kernelMixer(3, "float32") },
    });
    return { hash: stateHash(x), evaluations };
  };
`;

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? "\0program" : undefined),
        load: (id) => (id === "\0program" ? program : undefined),
      },
    ],
    build: { write: false, modulePreload: false, rollupOptions: { input: "program" } },
  });
  if (Array.isArray(result) || !("output" in result)) throw new Error("one bundle was expected");
  return result.output[0].code;
}

type Train = { train(): { hash: string; evaluations: object } };

test("a network learns in Chromium, to the bytes of Node", async () => {
  const code = await bundle();
  expect(/["'`]node:/.test(code)).toBe(false);
  await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  const here = (globalThis as unknown as Train).train();
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.addScriptTag({ content: code, type: "module" });
  await page.waitForFunction("globalThis.train !== undefined");
  const there = await page.evaluate(() => (globalThis as unknown as Train).train());
  await browser.close();
  expect(there).toEqual(here);
}, 120_000);
