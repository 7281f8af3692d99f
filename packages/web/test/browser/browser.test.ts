/** What only a real browser can show: storage that survives a reload, locks between tabs, a page that goes. */

import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { forgetSeat, rememberedSeat, rememberSeat } from "../../src/browser/seat-memory.ts";

let browser: Browser;
let context: BrowserContext;
let script: string;

beforeAll(async () => {
  const entry = fileURLToPath(new URL("page.ts", import.meta.url));
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, lib: { entry, formats: ["iife"], name: "web" } },
  });
  const [{ output }] = result as { output: { code: string }[] }[];
  script = output[0].code;
  browser = await launchChromium();
  context = await browser.newContext();
  await context.route("http://localhost/*", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><script>${script}</script>` }),
  );
  // Building the page and starting the browser take long where the machine is busy.
}, 60_000);

afterAll(async () => {
  await browser?.close();
});

async function tab(): Promise<Page> {
  const page = await context.newPage();
  await page.goto("http://localhost/page");
  return page;
}

declare const web: typeof import("./page.ts");

const save = (page: Page, place: string, byte: number) =>
  page.evaluate(([name, value]) => web.indexedStore(name).save(Uint8Array.of(value)), [place, byte] as const);
const load = (page: Page, place: string) =>
  page.evaluate(async (name) => (await web.indexedStore(name).load()).map((bytes) => [...bytes]), place);

describe("checkpoints in IndexedDB", () => {
  test("the last two of each place, over a reload, until they are forgotten", async () => {
    const page = await tab();
    expect(await load(page, "a")).toEqual([]);
    for (const byte of [1, 2, 3]) await save(page, "a", byte);
    await save(page, "b", 9);
    await page.reload();
    expect(await load(page, "a")).toEqual([[3], [2]]);
    expect(await load(page, "b")).toEqual([[9]]);
    await page.evaluate(() => web.forgetPlace("a"));
    expect(await load(page, "a")).toEqual([]);
    expect(await load(page, "b")).toEqual([[9]]);
    await page.close();
  });

  test("whole or not at all, however the tab ends", async () => {
    const page = await tab();
    await page.evaluate(() => web.indexedStore("c").save(new Uint8Array(1e6).fill(1)));
    // Not waited for: the page goes while it saves.
    await page.evaluate(() => {
      void web.indexedStore("c").save(new Uint8Array(8e6).fill(2));
    });
    await page.reload();
    const kept = await page.evaluate(async () =>
      (await web.indexedStore("c").load()).map((bytes) => [bytes.length, bytes.every((byte) => byte === bytes[0])]),
    );
    const before = [1e6, true];
    expect([[before], [[8e6, true], before]]).toContainEqual(kept);
    await page.close();
  });

  test("what nobody came back for in a month is gone", async () => {
    const page = await tab();
    await page.evaluate(async () => {
      const { now } = Date;
      Date.now = () => now() - 31 * 86_400_000;
      await web.indexedStore("old").save(Uint8Array.of(1));
      Date.now = now;
    });
    await save(page, "new", 1);
    expect(await load(page, "old")).toEqual([]);
    expect(await load(page, "new")).toEqual([[1]]);
    await page.close();
  });
});

test("a lock is one tab's, and free again when that tab has gone", async () => {
  const [one, other] = [await tab(), await tab()];
  const hold = (page: Page) => page.evaluate(async () => (await web.holdLock("seat")) !== undefined);
  expect(await hold(one)).toBe(true);
  expect(await hold(other)).toBe(false);
  await one.close();
  await expect.poll(() => hold(other)).toBe(true);
  await other.close();
});

test("a page that goes closes what it holds", async () => {
  const [one, other] = [await tab(), await tab()];
  // It listens before the other goes: a message that nobody listens for is nowhere kept.
  const hearing = await other.evaluateHandle(() => {
    const channel = new BroadcastChannel("gone");
    return {
      word: new Promise((resolve) => channel.addEventListener("message", ({ data }) => resolve(data))),
    };
  });
  await one.evaluate(() => {
    const channel = new BroadcastChannel("gone");
    const undo = web.whenPageGoes(() => channel.postMessage("taken back"));
    undo();
    web.whenPageGoes(() => channel.postMessage("closed"));
  });
  await one.goto("about:blank");
  expect(await hearing.evaluate(({ word }) => word)).toBe("closed");
});

test("a tab remembers its seat in each room, and garbage is no seat", () => {
  const entries = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
  rememberSeat("x", { rank: 3, secret: "s" });
  expect(rememberedSeat("x")).toEqual({ rank: 3, secret: "s" });
  expect(rememberedSeat("y")).toBeUndefined();
  for (const text of ["{", "null", '{"rank":"3","secret":"s"}', '{"rank":3}']) {
    entries.set("equitopo seat x", text);
    expect(rememberedSeat("x")).toBeUndefined();
  }
  rememberSeat("x", { rank: 3, secret: "s" });
  forgetSeat("x");
  expect(rememberedSeat("x")).toBeUndefined();
  vi.unstubAllGlobals();
});
