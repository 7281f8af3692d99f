/** A real Chromium on a bare machine, driven by Playwright. */

import { type Browser, chromium } from "playwright-core";
import { chromiumFlags, chromiumProgram } from "./chromium-home.mjs";

export async function launchChromium(): Promise<Browser> {
  const { path, env } = chromiumProgram();
  return chromium.launch({ executablePath: path, args: chromiumFlags, env });
}
