/**
 * Pictures of the built studio, by the project's own Chromium:
 *
 *     npm run screenshots --workspace @equitopo/studio -- FOLDER   every view, at 390 and 1440 pixels, light and dark
 *     npm run picture --workspace @equitopo/studio                 the README's picture, docs/figures/studio.png
 *
 * Nothing moves by itself (prefers-reduced-motion), so the same build gives the same pictures.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** TypeScript of the tests, which this Node cannot load by itself. */
const load = async (path) => (await runnerImport(here(path), { configFile: false, logLevel: "error" })).module;

const { launchChromium } = await load("../../equitopo/test/chromium.ts");
const { openStudioPage } = await load("../test/browser/studio-page.ts");
const { shownViews } = await load("../test/browser/shown-views.ts");

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: npm run screenshots --workspace @equitopo/studio -- FOLDER");
  process.exit(2);
}

/** A run to look at, of the spec that the README begins with. */
function makeRun() {
  const place = mkdtempSync(join(tmpdir(), "equitopo-screenshots-"));
  const spec = here("../../../examples/first-minute.yaml");
  const run = join(place, "first-minute");
  execFileSync(process.execPath, [here("../../cli/bin/equitopo.js"), "run", spec, "--out", run, "--quiet"], {
    stdio: "ignore",
  });
  return { run, remove: () => rmSync(place, { recursive: true }) };
}

async function shoot(browser, path, shown, options) {
  const { page, errors, close } = await openStudioPage(browser, { ...options, view: shown.view });
  await shown.ready(page, options.run);
  // Pictures on canvases are drawn with the next frame.
  await page.waitForTimeout(300);
  await page.screenshot({ path, fullPage: options.whole ?? true });
  await close();
  if (errors.length > 0) throw new Error(`${path}: ${errors.join("; ")}`);
  console.log(`${path}: ${(statSync(path).size / 1000).toFixed(0)} kB`);
}

const browser = await launchChromium();
const { run, remove } = makeRun();
try {
  if (folder === "--readme") {
    mkdirSync(here("../../../docs/figures/"), { recursive: true });
    const rounds = {
      view: "topology=od-equidyn,ring&n=64&start=split&rounds=40&t=14",
      ready: (page) => page.locator('.network[data-topology="ring"][data-t="14"]').waitFor(),
    };
    const size = { width: 1240, height: 740, whole: false };
    await shoot(browser, here("../../../docs/figures/studio.png"), rounds, size);
  } else {
    mkdirSync(folder, { recursive: true });
    for (const shown of shownViews) {
      for (const dark of [false, true]) {
        for (const [width, height] of [
          [390, 844],
          [1440, 900],
        ]) {
          const path = join(folder, `${shown.name}-${width}${dark ? "-dark" : ""}.png`);
          await shoot(browser, path, shown, { width, height, dark, run });
        }
      }
    }
  }
} finally {
  await browser.close();
  remove();
}
