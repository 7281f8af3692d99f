/** What a person has of the page of a seat: both themes, a phone's width, the keyboard, plain words, the way out. */

import { sealAbout } from "@equitopo/web/internal";
import { toBase64url } from "equitopo/number";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { openRoom, sitAsNode } from "../../node/test/room/rooms.ts";
import { axeViolations, sideways } from "./browser/studio-page.ts";
import { hold, page, rankOf, shownBy, softmax, tab, until } from "./seats.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

/** Nothing for axe to find in either theme, and nothing beyond the edge of a phone. */
async function fine(tab: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await tab.emulateMedia({ colorScheme });
    expect(await axeViolations(tab)).toEqual([]);
  }
  await tab.setViewportSize({ width: 390, height: 844 });
  expect(await sideways(tab)).toBe(0);
}

test("from waiting to the result: readable, narrow, without errors; a dead server is told of, and changes nothing", async () => {
  const { invite, link, server } = await openRoom(softmax(2, 40), { page, timeout: 30_000 });
  const one = await tab(browser, link);
  const errors: string[] = [];
  one.on("pageerror", (error) => errors.push(String(error)));
  one.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await until(one, "connecting");
  await one.getByText("1 of 2 are here").first().waitFor();
  await fine(one);
  const node = await sitAsNode(invite);
  const { held, release } = hold(node.transport, 20);
  await held;
  await until(one, "training");
  // The round's partners are known a little later than the phase.
  const ring = () => one.getAttribute(".ring", "aria-label");
  await expect.poll(ring).toMatch(/2 seats on a circle, this is seat 0\. .*Partners/);
  await fine(one);
  await server.close();
  await one.getByText("Training goes on without it").waitFor();
  release();
  expect(await shownBy(one)).toMatchObject({ missed: 0 });
  await fine(one);
  const [download] = await Promise.all([one.waitForEvent("download"), one.click("text=Download model.safetensors")]);
  expect(download.suggestedFilename()).toBe("model.safetensors");
  // A dead server is refused connections, which a browser writes to its console.
  expect(errors.filter((text) => !text.includes("WebSocket"))).toEqual([]);
});

test("an invitation says what it is for, and nothing begins before Join", async () => {
  const key = new Uint8Array(32).fill(7);
  const facts = { title: "Ten <glyphs>", description: "We learn to tell them apart.", seats: 2, runs: 1, updates: 40 };
  const about = sealAbout(key, JSON.stringify({ ...facts, bytes: 61_000 }));
  const { link, room } = await openRoom(softmax(2, 40), { page, about });
  const context = await browser.newContext();
  const one = await context.newPage();
  // The room's own key opens nothing of what another sealed: the page says what it says to everybody.
  await one.goto(link);
  await until(one, "invited");
  expect(await one.textContent("h1")).toBe("Take a seat");
  await one.goto("about:blank");
  await one.goto(link.replace(/key=.*/, `key=${toBase64url(key)}`));
  await until(one, "invited");
  expect(await one.textContent("h1")).toBe("Ten <glyphs>");
  const text = (await one.textContent("#invitation")) ?? "";
  for (const said of ["We learn", "Keep this tab open", "2 seats", "40 rounds", "stays in this tab", "61"]) {
    expect(text).toContain(said);
  }
  // On a phone its sentences are as wide as the page, and begin below their names.
  await one.setViewportSize({ width: 390, height: 844 });
  for (const row of await one.locator("#invitation .facts > div").all()) {
    const [name, said] = [await row.locator("dt").boundingBox(), await row.locator("dd").boundingBox()];
    expect(said?.x).toBe(name?.x);
    expect(said?.y).toBeGreaterThan(name?.y ?? Number.NaN);
  }
  await fine(one);
  expect(room.seats.every(({ state }) => state === "free")).toBe(true);
  await one.goto("about:blank");
  await one.goto(link);
  await one.focus("#join");
  await one.keyboard.press("Enter");
  await until(one, "connecting");
  expect(room.seats.map(({ state }) => state)).toEqual(["taken", "free"]);
});

test("who leaves, by the keyboard, is forgotten, and the seat is free; a copy of a tab takes another seat", async () => {
  const { link, room } = await openRoom(softmax(3, 40), { page });
  const one = await tab(browser, link);
  await until(one, "connecting");
  await expect.poll(() => rankOf(one)).toBe(0);
  // A copy has the memory of the tab it was copied from.
  const copy = await one.context().newPage();
  const memory = await one.evaluate(() => JSON.stringify(sessionStorage));
  await copy.addInitScript((text) => {
    for (const [name, value] of Object.entries(JSON.parse(text))) sessionStorage.setItem(name, value as string);
  }, memory);
  await copy.goto(link);
  await until(copy, "connecting");
  await expect.poll(() => rankOf(copy)).toBe(1);
  await one.focus("#leave");
  await one.keyboard.press("Enter");
  await until(one, "left");
  await expect.poll(() => room.seats.map(({ state }) => state)).toEqual(["free", "taken", "free"]);
  expect(await one.evaluate(() => sessionStorage.length)).toBe(0);
});
