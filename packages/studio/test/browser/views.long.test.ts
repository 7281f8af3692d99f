/** Every view of the built page, as a person meets it: from a file, by its address, by keys, in both themes, on a phone. */

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

test("the whole page is at most 200 kB gzipped, and loads nothing", () => {
  const html = studioHtml();
  expect(gzipSync(html).length).toBeLessThanOrEqual(200_000);
  expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
  expect(html).toContain("default-src 'none'");
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
  await page.waitForFunction((colour) => getComputedStyle(document.documentElement).backgroundColor !== colour, before);
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
