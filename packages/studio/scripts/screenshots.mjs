/**
 * Pictures of the built studio, by the project's own Chromium:
 *
 *     npm run screenshots --workspace @equitopo/studio -- FOLDER   every view, at 390 and 1440 pixels, light and dark
 *     npm run picture --workspace @equitopo/studio                 docs/figures/studio.png, and those of docs/tour.md
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
    mkdirSync(here("../../../docs/figures/tour/"), { recursive: true });
    const size = { width: 1240, height: 740, whole: false };
    const at = (t) => (page) => page.locator(`.network[data-topology="ring"][data-t="${t}"]`).waitFor();
    const [sorted, both] = ["n=32&start=sorted&rounds=60&seed=4&d=1", "topology=od-equidyn,ring"];
    const pictures = {
      "studio.png": [`${both}&n=64&start=split&rounds=40&t=14`, at(14)],
      "tour/ring.png": [`topology=ring&${sorted}&t=6`, at(6)],
      "tour/beside.png": [`${both}&${sorted}&t=6`, at(6)],
      "tour/curves.png": [
        `view=curves&${both}&n=1000&rounds=60&seed=4`,
        (page) => page.locator("#curves-table tr[data-errors][data-rate]").nth(1).waitFor(),
      ],
    };
    for (const [name, [view, ready]] of Object.entries(pictures)) {
      await shoot(browser, here(`../../../docs/figures/${name}`), { view, ready }, size);
    }
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
