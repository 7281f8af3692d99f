/** Rounds and Curves: what the page shows, played and stepped, is what the library computes. */

import { createTopology, type GossipOptions, gossip } from "equitopo";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { openStudioPage } from "./studio-page.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 120_000);
afterAll(() => browser?.close());

const n = 20;
const errorsOf = (name: string, rounds: number, options: GossipOptions = { d: 1, rounds }) =>
  gossip(createTopology({ name, n, ...(name === "od-equidyn" ? { seed: 5 } : {}) }), {
    ...options,
    ...{ d: 1, rounds, seed: 5, x0: "sorted", around: "now" },
  });

/** What the page says of a topology at the round where it stands. */
async function shown(page: Page, name: string, t: number): Promise<{ error: number; drift: number }> {
  const figure = page.locator(`.network[data-topology="${name}"][data-t="${t}"]`);
  await figure.waitFor();
  const number = async (key: string) => Number(await figure.getAttribute(`data-${key}`));
  return { error: await number("error"), drift: await number("drift") };
}

test("rounds, stepped forwards and back: the disagreement of every round to the last bit", async () => {
  const { page, errors, close } = await openStudioPage(browser, { view: `n=${n}&seed=5&t=0&rounds=30` });
  for (const name of ["od-equidyn", "ring"])
    expect((await shown(page, name, 0)).error).toBe(errorsOf(name, 0).errors[0]);
  for (let t = 1; t <= 3; t++) await page.keyboard.press("ArrowRight");
  for (const name of ["od-equidyn", "ring"])
    expect((await shown(page, name, 3)).error).toBe(errorsOf(name, 3).errors[3]);
  await page.locator("#scrub").fill("25");
  for (const name of ["od-equidyn", "ring"])
    expect((await shown(page, name, 25)).error).toBe(errorsOf(name, 25).errors[25]);
  await page.keyboard.press("Home");
  await page.locator("#scrub").blur();
  await page.keyboard.press("Home");
  await shown(page, "ring", 0);
  expect(errors).toEqual([]);
  await close();
});

test("played, it comes to an end by itself", async () => {
  const { page, close } = await openStudioPage(browser, { view: `n=${n}&seed=5&t=0&rounds=12&speed=60` });
  await shown(page, "ring", 0);
  await page.keyboard.press(" ");
  expect((await shown(page, "ring", 12)).error).toBe(errorsOf("ring", 12).errors[12]);
  await close();
});

test("a node that is killed by key shifts the mean as it does in the library, and is in the address", async () => {
  const { page, close } = await openStudioPage(browser, { view: `n=${n}&seed=5&t=0&rounds=30&node=4` });
  await shown(page, "od-equidyn", 0);
  await page.keyboard.press("k");
  await page.waitForFunction(() => location.hash.includes("kill=4@0"));
  for (let t = 1; t <= 6; t++) await page.keyboard.press("ArrowRight");
  const { error, drift } = await shown(page, "od-equidyn", 6);
  // A node that is down talks to no one, now or in the next round.
  for (const fact of ["from", "to", "next-from", "next-to"]) {
    expect(await page.locator(`[data-node="4"] [data-fact="${fact}"] td`).allInnerTexts()).toEqual([
      "nobody",
      "nobody",
    ]);
  }
  const { errors } = errorsOf("od-equidyn", 6, {
    d: 1,
    rounds: 6,
    crash: [{ node: 4, from: 0 }],
  });
  expect(drift).toBeGreaterThan(0);
  expect(error).toBe(errors[6]);
  await close();
});

test("curves: rates, bounds and crossings are the library's, and n moves them", async () => {
  const view = "view=curves&topology=od-equidyn,static-exp,ring&n=60&seed=5&rounds=60";
  const { page, errors, close } = await openStudioPage(browser, { view });
  const check = async (size: number) => {
    for (const name of ["od-equidyn", "static-exp", "ring"]) {
      const row = page.locator(`#curves-table tr[data-topology="${name}"][data-errors][data-rate]`);
      await row.waitFor();
      const topology = createTopology({ name, n: size, ...(name === "od-equidyn" ? { seed: 5 } : {}) });
      const { rate, bound } = topology.rate();
      const curve = gossip(topology, { d: 1, rounds: 60, seed: 5, x0: "sorted", around: "now" }).errors;
      const crossing = curve.findIndex((error) => error <= 1e-6 * curve[0]);
      expect(await row.getAttribute("data-rate")).toBe(String(rate));
      expect(await row.getAttribute("data-bound")).toBe(bound === null ? null : String(bound));
      expect(await row.getAttribute("data-rounds")).toBe(crossing < 0 ? null : String(crossing));
      expect(Number(await row.getAttribute("data-errors"))).toBe(curve[60]);
    }
  };
  await check(60);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => location.hash.includes("n=100"));
  await page
    .locator('#curves-table tr[data-topology="ring"]:not([data-errors])')
    .waitFor({ timeout: 500 })
    .catch(() => {});
  await check(100);
  expect(errors).toEqual([]);
  await close();
});
