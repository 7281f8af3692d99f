/**
 * A Chromium for a bare machine: @sparticuz/chromium ships the browser and the libraries it needs inside the package, so
 * nothing is installed on the system. It is unpacked once, beside the packages. Plain JavaScript, since benchmarks use it
 * too and run without a compiler.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
const fonts = fileURLToPath(new URL("chromium-fonts.conf", import.meta.url));

/** What it is started with, wherever it runs. */
export const chromiumFlags = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--no-first-run"],
];

/** The program, and the environment that it needs. */
export function chromiumProgram() {
  const home = unpacked();
  const libraries = [join(home, "al2023", "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts };
  return { path: join(home, "chromium"), env };
}

/** The folder of the unpacked browser. The first caller makes it elsewhere and moves it, so that two never mix. */
function unpacked() {
  const home = join(cache, "chromium-147.0.0");
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, "chromium-"));
  // The package unpacks to TMPDIR, and its libraries only where it believes to be on a serverless machine.
  const env = { ...process.env, TMPDIR: part, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" };
  const code = `import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())`;
  execFileSync(process.execPath, ["-e", code], { env, cwd: cache });
  try {
    renameSync(part, home);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}
