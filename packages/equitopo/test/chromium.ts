/** A real Chromium on a bare machine, driven by Playwright. */

import { type Browser, chromium } from "playwright-core";
import { chromiumFlags, chromiumProgram } from "./chromium-home.mjs";

/** `flags` are added to the usual ones. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const { path, env } = chromiumProgram();
  return chromium.launch({ executablePath: path, args: [...chromiumFlags, ...flags], env });
}
