/** Every view of the built page, as a person meets it: from a file, by its address, by keys, in both themes, on a phone. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wasmBase64 } from "../../../equitopo/src/kernel/wasm.ts";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { runInto, scratch } from "./run-folder.ts";
import { shownViews } from "./shown-views.ts";
import { axeViolations, openStudioPage, sideways, studioFile, studioHtml } from "./studio-page.ts";

const folder = scratch();
let browser: Browser;
let run: string;

beforeAll(async () => {
  run = runInto(folder, "mine", ["--workers", "1"]);
  browser = await launchChromium();
}, 120_000);
afterAll(() => browser?.close());

describe.each(shownViews)("$name", ({ name, view, ready }) => {
  test("opens from file: under its own policy, without an error", async () => {
    const { page, errors, close } = await openStudioPage(browser, { view, strict: true });
    await ready(page, run);
    expect(await page.locator("main").getAttribute("id")).toBe(name);
    expect(errors).toEqual([]);
    await close();
  });

  test("axe finds nothing in the light nor in the dark, and nothing is wider than a phone or a desk", async () => {
    for (const dark of [false, true]) {
      const { page, close } = await openStudioPage(browser, { view, dark, width: dark ? 390 : 1440, height: 844 });
      await ready(page, run);
      expect(await axeViolations(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await close();
    }
  });
});

test("the whole page is at most 185 kB gzipped, and loads nothing", () => {
  const html = studioHtml();
  expect(gzipSync(html).length).toBeLessThanOrEqual(185_000);
  expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
  expect(html).toContain("default-src 'none'");
});

test("rare views are fetched with the first of them, and a page that is alone says what it lacks", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=8&t=0", strict: true });
  const fetched = () => page.locator("script[src]").evaluateAll((all) => all.map((one) => one.getAttribute("src")));
  await page.locator('.network[data-t="0"]').first().waitFor();
  expect(await fetched()).toEqual([]);
  await page.keyboard.press("4");
  await page.locator("#spectrum canvas").first().waitFor();
  await page.keyboard.press("6");
  await page.locator("#pick").waitFor();
  expect(await fetched()).toEqual(["./views.js"]);
  await close();

  writeFileSync(join(folder, "alone.html"), studioHtml());
  const alone = await openStudioPage(browser, {
    address: pathToFileURL(join(folder, "alone.html")).href,
    view: "n=8&t=0",
  });
  await alone.page.keyboard.press("5");
  await alone.page.getByText("views.js must lie beside this page").waitFor();
  await alone.page.keyboard.press("2");
  await alone.page.locator("#curves-table tr[data-errors]").first().waitFor();
  await alone.close();
});

test("the kernels in the page are the library's, byte for byte", () => {
  const [, text] = /=btoa\((`\\0asm(?:[^`\\]|\\[\s\S])*`)\)/.exec(studioHtml()) as RegExpExecArray;
  expect(btoa(new Function(`return ${text}`)())).toBe(wasmBase64);
});

test("an address is restored, a changed view is in the address, and the way back works", async () => {
  const address = "view=curves&topology=ring,star&n=40&rounds=30&x=bytes";
  const { page, errors, close } = await openStudioPage(browser, { view: address });
  await page.locator('#curves-table tr[data-topology="star"]').waitFor();
  expect(await page.getByLabel("Nodes, typed").inputValue()).toBe("40");
  expect(await page.getByRole("radio", { name: "bytes" }).isChecked()).toBe(true);
  await page.getByLabel("Nodes, typed").fill("50");
  await page.getByLabel("Nodes, typed").press("Enter");
  await page.waitForFunction(() => location.hash.includes("n=50"));
  expect(new URL(page.url()).hash).toBe("#view=curves&topology=ring,star&n=50&rounds=30&x=bytes");
  await page.evaluate(() => {
    location.hash = "view=spectrum&n=12";
  });
  await page.locator("main#spectrum").waitFor();
  expect(await page.getByLabel("Nodes, typed").inputValue()).toBe("12");
  expect(errors).toEqual([]);
  await close();
});

test("the keyboard goes everywhere: views by digits, help, dialogs that end, theme", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=8&t=0" });
  for (const [place, { name }] of shownViews.entries()) {
    await page.keyboard.press(String(place + 1));
    await page.locator(`main#${name}`).waitFor();
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("1");
  await page.locator(`main#${shownViews[0].name}`).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("dialog", { name: /Export/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const before = await ground();
  await page.keyboard.press("d");
  await expect.poll(ground).not.toBe(before);
  await close();
});

test("a key right after the Escape that closes a dialog counts, although the dialog has the focus still", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=8&t=0" });
  const scheme = () => page.evaluate(() => document.documentElement.style.colorScheme);
  for (const [key, wanted] of [
    ["?", "dark"],
    ["e", "light"],
  ]) {
    await page.keyboard.press(key);
    await page.locator("dialog[open]").waitFor();
    const wasInside = await page.evaluate(() => {
      document.querySelector("dialog")?.close();
      const focused = document.activeElement;
      focused?.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true }));
      return focused?.closest("dialog") !== null;
    });
    expect(wasInside).toBe(true);
    await expect.poll(scheme).toBe(wanted);
    await page.locator("dialog").waitFor({ state: "detached" });
  }
  // An Escape right after the key that opens one.
  await Promise.all([page.keyboard.press("?"), page.keyboard.press("Escape")]);
  await page.locator("dialog").waitFor({ state: "detached" });
  await close();
});

test("something runs without any click, unless the person wants no motion", async () => {
  const moving = await openStudioPage(browser, { calm: false });
  await moving.page.waitForFunction(() => Number(document.querySelector<HTMLElement>(".network")?.dataset["t"]) >= 2);
  await moving.close();
  const calm = await openStudioPage(browser, { calm: true });
  await calm.page.locator('.network[data-t="0"]').first().waitFor();
  await calm.page.waitForTimeout(700);
  expect(await calm.page.locator(".network").first().getAttribute("data-t")).toBe("0");
  await calm.close();
});

test("the tour plays no faster than it says, although the page was playing, and Escape leaves it", async () => {
  const { page, close } = await openStudioPage(browser, { calm: false });
  const round = async () => Number(await page.locator(".network").first().getAttribute("data-t"));
  await page.waitForFunction(() => Number(document.querySelector<HTMLElement>(".network")?.dataset["t"]) >= 1);
  await page.keyboard.press("g");
  for (const title of ["Nobody is in charge", "Whom to ask makes the difference"]) {
    await page.getByRole("heading", { name: title }).waitFor();
    const [from, since] = [await round(), performance.now()];
    await page.waitForTimeout(2000);
    // Two rounds a second, and the one that was under way. Two clocks at once would make it four.
    expect((await round()) - from).toBeLessThanOrEqual(2 * ((performance.now() - since) / 1000) + 1);
    if (title === "Nobody is in charge") await page.getByRole("button", { name: "Next" }).click();
  }
  await page.keyboard.press("Escape");
  await page.getByRole("complementary", { name: "Tour" }).waitFor({ state: "detached" });
  await close();
});

test("the landing view begins with the tour's first words, has its curve in sight, and the tour gives one's view back", async () => {
  const landing = await openStudioPage(browser, {});
  await landing.page.getByText("Every dot is a computer with a number of its own").waitFor();
  const chart = await landing.page.locator("#progress").boundingBox();
  expect((chart?.y ?? 1e9) + (chart?.height ?? 0)).toBeLessThan(900);
  await landing.close();

  const own = "topology=grid,torus&n=36&seed=9&t=3&rounds=20";
  const { page, errors, close } = await openStudioPage(browser, { view: own });
  await page.locator('.network[data-topology="grid"][data-t="3"]').waitFor();
  expect(await page.locator("#landing").count()).toBe(0);
  await page.keyboard.press("g");
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator('.network[data-topology="od-equidyn"]').waitFor();
  await page.getByRole("button", { name: "Back to my view" }).click();
  await page.locator('.network[data-topology="grid"][data-t="3"]').waitFor();
  await page.waitForFunction((text) => location.hash === `#${text}`, own);
  expect(errors).toEqual([]);
  await close();
});

test("on a phone what breaks the network follows it, and the pause button keeps its width", async () => {
  const { page, close } = await openStudioPage(browser, { width: 390, height: 844, view: "n=16&t=0&rounds=60" });
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
  await page.locator('.network[data-t="0"]').first().waitFor();
  expect(await top('[aria-label="What goes wrong"]')).toBeGreaterThan(await top(".transport"));
  expect(await top('[aria-label="What goes wrong"]')).toBeLessThan(await top('[aria-label="Settings"]'));
  const play = page.locator("#play");
  const width = async () => (await play.boundingBox())?.width;
  const paused = await width();
  await play.click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  expect(await width()).toBe(paused);
  expect(await play.evaluate((button) => getComputedStyle(button).columnGap)).not.toBe("normal");
  await close();
});

test("a link with too many topologies says which were left out; the numbers of a view can be saved", async () => {
  const link = "view=curves&topology=ring,star,grid,torus,complete,hypercube,od-equidyn&n=16&rounds=10";
  const { page, errors, close } = await openStudioPage(browser, { view: link });
  expect(await page.locator("#unshown").innerText()).toMatch(/Left out: OD-EquiDyn\./);
  await page.locator("#curves-table tr[data-errors]").nth(5).waitFor();
  await page.keyboard.press("e");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toMatch(/^round,Ring disagreement,Ring bytes,Ring seconds,Star disagreement/);
  expect(text.trimEnd().split("\n")).toHaveLength(12);
  expect(errors).toEqual([]);
  await close();
});

test("every view has its numbers as CSV", async () => {
  for (const { name, view, ready } of shownViews) {
    const { page, close } = await openStudioPage(browser, { view });
    await ready(page, run);
    await page.keyboard.press("e");
    const button = page.getByRole("button", { name: "CSV" }).first();
    await button.waitFor();
    expect(await button.isEnabled(), name).toBe(true);
    await close();
  }
});

test("a mean that has shifted is measured against a reference that is named", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=20&seed=5&t=6&kill=4@0" });
  const kept = page.locator('[data-fact="kept"] td').first();
  await kept.waitFor();
  expect(await kept.innerText()).toMatch(/^shifted [\d.e-]+ %$/);
  expect(await page.locator("#reference").innerText()).toContain("distance from the mean at the start");
  await close();
});

test("a view's tab is a link that can be opened beside this one", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=8&t=0" });
  const link = await page.getByRole("link", { name: "Curves" }).evaluate((tab) => (tab as HTMLAnchorElement).href);
  expect(link).toBe(`${studioFile}#view=curves&n=8&t=0`);
  await close();
});

test("a mean that is next to nothing is not called shifted for its rounding", async () => {
  const { page, close } = await openStudioPage(browser, { view: "n=10000&t=8" });
  await page.locator('.network[data-topology="ring"][data-t="8"]').waitFor();
  expect(await page.locator('[data-fact="kept"] td').allInnerTexts()).toEqual(["kept", "kept"]);
  await close();
});
