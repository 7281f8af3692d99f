/**
 * The built studio in a real Chromium: opened from its file or from an address, at a given width and theme, with
 * everything that goes wrong on the page collected. `npm run build` comes first.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";

const built = fileURLToPath(new URL("../../dist/index.html", import.meta.url));

/** The page as one HTML text, and its address on the disk. */
export const studioHtml = (): string => readFileSync(built, "utf8");
export const studioFile = pathToFileURL(built).href;

export interface Opened {
  readonly page: Page;
  /** What the page said of errors: exceptions, refused loads, errors on its console. */
  readonly errors: string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Of the address: what stands behind the #. */
  readonly view?: string;
  readonly address?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** The person wants no motion: nothing plays by itself, and pictures stand still. */
  readonly calm?: boolean;
  /** Of the device, for pictures. */
  readonly scale?: number;
  /** Under the page's own policy, with which axe cannot be put into it. */
  readonly strict?: boolean;
}

/** A context of its own, so that nothing of another test is remembered. */
export async function openStudioPage(browser: Browser, options: OpenOptions = {}): Promise<Opened> {
  const { view = "", address = studioFile, width = 1440, height = 900, dark = false, calm = true, scale = 1 } = options;
  const { strict = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: calm ? "reduce" : "no-preference",
    deviceScaleFactor: scale,
    bypassCSP: !strict,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(view === "" ? address : `${address}#${view}`);
  return { page, errors, close: () => context.close() };
}

const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** What axe finds wrong, a line each: the rule and the first place. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeScript);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.length}: ${nodes[0].html.slice(0, 160)})`);
  });
}

/** Pixels that the page is wider than its window. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
