/**
 * A real Chromium on a bare machine: @sparticuz/chromium ships the browser and the libraries it needs inside the
 * package, so nothing is installed on the system. It is unpacked once, beside the packages.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
const fonts = fileURLToPath(new URL("chromium-fonts.conf", import.meta.url));
const flags = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--no-first-run"],
];

export async function launchChromium(): Promise<Browser> {
  const home = unpackedChromium();
  const libraries = [join(home, "al2023", "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  const env: Record<string, string> = { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts };
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] ??= value;
  return chromium.launch({ executablePath: join(home, "chromium"), args: flags, env });
}

/** The folder of the unpacked browser. The first caller makes it elsewhere and moves it, so that two never mix. */
function unpackedChromium(): string {
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
