/** The programs of docs/browser.md in a real Chromium, bundled as a page would be: every claim behind `// =>` holds there, too. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { extract, transpile, withChecks } from "../../../equitopo/test/examples.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
// Inside the repository, where the packages are found.
const folder = join(root, "node_modules/.cache/equitopo-browser-programs");

/** What the checks take from Node, for values that JSON can hold. */
const inPage = `export const inspect = JSON.stringify;
export const isDeepStrictEqual = (a, b) => inspect(a) === inspect(b);
`;

test("they run in Chromium and are right", { timeout: 180_000 }, async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const programs = extract(readFileSync(join(root, "docs/browser.md"), "utf8"), "docs/browser.md");
  expect(programs.length).toBeGreaterThanOrEqual(2);
  writeFileSync(join(folder, "in-page.js"), inPage);
  const names = programs.map((program, k) => {
    const code = transpile(withChecks(program)).replace('"node:util"', '"./in-page.js"');
    writeFileSync(join(folder, `program-${k}.js`), code);
    return `import "./program-${k}.js";`;
  });
  writeFileSync(join(folder, "all.js"), `${names.join("\n")}\nglobalThis.done = ${names.length};`);
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ...{ write: false, minify: false, target: "es2022" },
      lib: { entry: join(folder, "all.js"), formats: ["es"] },
    },
  });
  const [{ output }] = [result].flat() as unknown as { output: { code: string }[] }[];
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    await page.addScriptTag({ type: "module", content: output[0].code });
    await page.waitForFunction(() => "done" in globalThis, undefined, { timeout: 60_000 }).catch(() => {});
    expect(wrong).toEqual([]);
    expect(await page.evaluate(() => (globalThis as { done?: number }).done)).toBe(programs.length);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
