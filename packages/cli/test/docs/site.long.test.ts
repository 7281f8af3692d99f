/** `npm run docs`: no warning, no broken link, all pages in one navigation; from a disk, in dark, and on a phone. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { topologies } from "equitopo";
import { titleOf } from "equitopo/picture";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guides } from "../../../../scripts/docs/guides.mjs";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { commands } from "../../src/commands.ts";
import { brokenLinks, filesUnder, readHtml } from "./links.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const site = mkdtempSync(join(tmpdir(), "equitopo-site-"));
const pages = guides.flatMap((group) => group.pages);
const address = (page: string) => join(site, "guides", `${page.replace(/^docs\/|\.md$/g, "").toLowerCase()}.html`);
let browser: Browser;
let built: ReturnType<typeof spawnSync>;

beforeAll(async () => {
  const build = ["scripts/docs/build.mjs", site];
  built = spawnSync(process.execPath, build, { cwd: root, encoding: "utf8", timeout: 280_000 });
  browser = await launchChromium();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  rmSync(site, { recursive: true, force: true });
});

test("it is built without a warning", () => {
  expect(String(built.stdout) + String(built.stderr)).not.toContain("warning");
  expect(built.status).toBe(0);
});

test("every guide and every entry point has its page", () => {
  expect(pages.filter((page) => !existsSync(address(page)))).toEqual([]);
  const modules = filesUnder(join(site, "modules"), ".html");
  expect(modules.map((file) => /[^/\\]+$/.exec(file)?.[0])).toEqual(
    expect.arrayContaining(["equitopo.html", "equitopo_peer.html", "_equitopo_node.html", "_equitopo_web.html"]),
  );
  // What a file says of itself at its head stands on its page.
  expect(readFileSync(join(site, "modules/equitopo_peer.html"), "utf8")).toContain("Real peers");
});

test("the catalogue is made when the site is built, and the home page leads to it", () => {
  const topologiesPage = readFileSync(address("topologies"), "utf8");
  for (const name of topologies.names)
    expect(topologiesPage).toContain(`id="${titleOf(name).toLowerCase().replaceAll(" ", "-")}"`);
  const commandsPage = readFileSync(address("commands"), "utf8");
  for (const { name } of commands) expect(commandsPage).toContain(`id="equitopo-${name}"`);
  const home = readFileSync(join(site, "index.html"), "utf8");
  expect(home).toContain('href="guides/topologies.html"');
  expect(home).toContain('href="guides/commands.html"');
  // Guides before the interface, as far as the page is read from above.
  expect(home.search(/href="guides\//)).toBeLessThan(home.search(/href="(modules|functions|classes)\//) >>> 0);
});

test("every guide leads to the one before and the one after it", () => {
  const order: string[] = [];
  for (let at = address("docs/start.md"); ; ) {
    order.push(at);
    const next = /<a rel="next" href="([^"]+)"/.exec(readFileSync(at, "utf8"))?.[1];
    if (next === undefined) break;
    const before = at;
    at = join(at, "..", next);
    const back = /<a rel="prev" href="([^"]+)"/.exec(readFileSync(at, "utf8"))?.[1] ?? "none";
    expect(join(at, "..", back)).toBe(before);
  }
  expect(order.slice(0, 3)).toEqual(["docs/start.md", "docs/learn.md", "docs/tour.md"].map(address));
  expect([...order].sort()).toEqual([...pages, "topologies", "commands"].map(address).sort());
});

test("no link of any page is broken", () => {
  const files = filesUnder(site, ".html");
  expect(files.length).toBeGreaterThan(500);
  expect(brokenLinks(files, readHtml, site)).toEqual([]);
});

test("it works from a disk: navigation, search, the dark, and pages that are as wide as a phone", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", ({ message }) => wrong.push(message));
  // A browser says here what it does not load from a disk.
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  for (const guide of [
    "docs/start.md",
    "docs/learn.md",
    "docs/tour.md",
    "topologies",
    "commands",
    "docs/paper.md",
    "docs/results/mnist.md",
    "docs/coming-from.md",
  ]) {
    await page.goto(pathToFileURL(address(guide)).href);
    const { width, dark } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      dark: getComputedStyle(document.body).backgroundColor,
    }));
    expect([guide, width]).toEqual([guide, 390]);
    expect(dark).toMatch(/rgb\((\d|[1-6]\d), /);
  }
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.waitForSelector(".tsd-navigation a:has-text('Which topology?')", { state: "attached" });
  await page.click("#tsd-search-trigger");
  await page.fill("#tsd-search-input", "predictedRounds");
  await page.waitForSelector("#tsd-search-results a[href*='predictedRounds']");
  await page.fill("#tsd-search-input", "rate");
  await page.waitForSelector("#tsd-search-results a[href*='mathematics']");
  const found = await page.$$eval("#tsd-search-results a", (links) => links.map((link) => link.getAttribute("href")));
  expect(found.slice(0, 3).filter((href) => !href?.includes("guides/"))).toEqual([]);
  await context.close();
  expect(wrong).toEqual([]);
});
