/** The animated SVG of `graph --rounds` as a browser shows it: one round at a time, each in its second, and still where asked. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { equitopo } from "../command.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** The names of the rounds that are visible at these seconds; the clock is set, so that a slow machine changes nothing. */
async function visible(svg: string, reducedMotion: "reduce" | "no-preference", seconds: readonly number[]) {
  const page = await browser.newPage({ reducedMotion });
  try {
    await page.setContent(svg);
    return await page.evaluate((times) => {
      const groups = [...document.querySelectorAll<SVGGElement>("g.round")];
      return times.map((time) => {
        for (const animation of document.getAnimations()) {
          animation.pause();
          animation.currentTime = 1000 * time;
        }
        const shown = groups.filter((group) => getComputedStyle(group).visibility === "visible");
        return shown.map((group) => group.querySelector("text")?.textContent?.split(":")[0]).join();
      });
    }, seconds);
  } finally {
    await page.close();
  }
}

test("each round has its second, over and over; with reduced motion the first stays", async () => {
  const { stdout } = await equitopo("graph ou-equidyn --n 9 --rounds 4:16 --format svg");
  const seconds = [0, 0.99, 1.01, 6.5, 11.5, 12.5, 40.5];
  expect(await visible(stdout, "no-preference", seconds)).toEqual(
    [4, 4, 5, 10, 15, 4, 8].map((number) => `round ${number}`),
  );
  expect(await visible(stdout, "reduce", [0, 5.5])).toEqual(["round 4", "round 4"]);
});

test("it moves in an <img>, too", async () => {
  const { stdout } = await equitopo("graph od-equidyn --n 9 --rounds 0:2 --format svg");
  const page = await browser.newPage({ viewport: { width: 640, height: 700 } });
  try {
    await page.setContent(`<img src="data:image/svg+xml;base64,${Buffer.from(stdout).toString("base64")}">`);
    await page.waitForFunction(() => document.images[0].complete);
    const pictures = new Set<string>();
    // Two rounds: waits until both were seen, however slowly pictures are taken here.
    for (let tries = 0; tries < 60 && pictures.size < 2; tries++) {
      pictures.add((await page.screenshot()).toString("base64"));
      await page.waitForTimeout(170);
    }
    expect(pictures.size).toBe(2);
  } finally {
    await page.close();
  }
});
