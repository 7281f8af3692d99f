/** The animated SVG of `graph --rounds` as a browser shows it: one round at a time, each in its second, and still where asked. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../../../equitopo/test/chromium.ts";
import { equitopo } from "../../command.ts";

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

/** Screenshots of a file in an <img>, until `enough` of them; a page of its own for each. */
async function shots(svg: string, enough: (taken: readonly string[]) => boolean): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 660, height: 710 } });
  try {
    await page.setContent(`<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`);
    await page.evaluate(() => document.images[0].decode());
    const taken: string[] = [];
    const limit = performance.now() + 30_000;
    while (!enough(taken) && performance.now() < limit) taken.push((await page.screenshot()).toString("base64"));
    return taken;
  } finally {
    await page.close();
  }
}

test("in an <img> it moves, too: from the still picture of one round to that of the other and back", async () => {
  const draw = async (rounds: string) => (await equitopo(`graph od-equidyn --n 9 --format svg ${rounds}`)).stdout;
  const [[first], [second]] = [
    await shots(await draw("--round 1"), ({ length }) => length === 1),
    await shots(await draw("--round 2"), ({ length }) => length === 1),
  ];
  expect(first).not.toBe(second);
  const changes = (taken: readonly string[]) => taken.filter((shot, k) => k > 0 && shot !== taken[k - 1]).length;
  const seen = await shots(await draw("--rounds 1:3"), (taken) => changes(taken) >= 2);
  expect(changes(seen)).toBe(2);
  // Nothing else is ever seen, least of all a page that is still empty.
  expect(new Set(seen)).toEqual(new Set([first, second]));
});
