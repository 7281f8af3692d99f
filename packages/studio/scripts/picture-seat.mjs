/**
 * The picture of a seat at work in docs/browser.md, docs/figures/seat.png, by the project's own Chromium: a room by the
 * command, five tabs and three Node peers in it, and one of the tabs in the middle of the run.
 *
 *     npm run picture-seat --workspace @equitopo/studio
 */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** TypeScript of the tests, which this Node cannot load by itself. */
const { module } = await runnerImport(here("../../equitopo/test/chromium.ts"), {
  configFile: false,
  logLevel: "error",
});

const folder = mkdtempSync(join(tmpdir(), "equitopo-picture-"));
const words = ["serve", here("../../../examples/room.yaml"), "--fill", "3", "--quiet", "--out", join(folder, "out")];
const room = spawn(process.execPath, [here("../../cli/bin/equitopo.js"), ...words]);
const browser = await module.launchChromium();
try {
  const link = await new Promise((resolve, reject) => {
    let told = "";
    room.stderr.on("data", (more) => {
      told += more;
      const found = /invite: (\S+)\s/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    room.once("exit", () => reject(new Error(told)));
  });
  const tabs = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
      const tab = await context.newPage();
      await tab.goto(link);
      await tab.click("#join");
      return tab;
    }),
  );
  const [shown] = tabs;
  const far = () => Number(document.querySelector("main")?.dataset.updates) >= 150;
  await shown.waitForFunction(far, undefined, { timeout: 120_000, polling: 20 });
  mkdirSync(here("../../../docs/figures/"), { recursive: true });
  const path = here("../../../docs/figures/seat.png");
  await shown.screenshot({ path });
  console.log(`docs/figures/seat.png: ${(statSync(path).size / 1000).toFixed(0)} kB`);
} finally {
  await browser.close();
  room.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
