/** A browser page bundled from what is installed in a folder, opened in a real Chromium. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";
import { chromiumFlags, chromiumProgram } from "../../packages/equitopo/test/chromium-home.mjs";

/**
 * Bundles a module that exports `answer()` and gives what it answers in the browser, with the browser's version. The module
 * finds its packages as any program in the folder would.
 */
export async function answerInChromium(folder, module) {
  const entry = `import { answer } from "./${module}";\nglobalThis.answer = await answer();\n`;
  writeFileSync(join(folder, "page.js"), entry);
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><title>a page</title><script type="module" src="/page.js"></script>\n',
  );
  const silent = { configFile: false, root: folder, logLevel: "silent" };
  await build({ ...silent, build: { outDir: "page" } });
  const server = await preview({ ...silent, build: { outDir: "page" }, preview: { port: 0, host: "127.0.0.1" } });
  const { path, env } = chromiumProgram();
  const browser = await chromium.launch({ executablePath: path, args: chromiumFlags, env });
  try {
    const page = await browser.newPage();
    await page.goto(server.resolvedUrls.local[0]);
    const given = await page.waitForFunction(() => globalThis.answer);
    return { version: browser.version(), answer: await given.jsonValue() };
  } finally {
    await browser.close();
    await server.close();
  }
}
