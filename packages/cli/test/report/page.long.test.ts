/** The report as a person opens it, on a phone and on a desk: nothing sticks out, letters can be read, values can be had. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { experiments } from "@equitopo/experiments";
import { type Experiment, type Outcome, specExperiment } from "equitopo/outcome";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { resultOf, runOf } from "../../../equitopo/test/outcome/results.ts";
import { experimentSection, findingsAbove, notRun } from "../../src/report/experiment-section.ts";
import { report } from "../../src/report/report.ts";

const labels = ["Ring", "OD-EquiDyn", "U-EquiStatic", "a run with a very long name, which nobody could foresee"];
const runs = labels.flatMap((label) => [0, 1].map((seed) => runOf(label, seed)));
const experiment = specExperiment({ ...{ name: "run", title: "Four runs", paper: "", shows: "" }, runs: () => runs });

/** Four curves of known values: after t updates run k has 0.9^(t (k + 1)). */
const valueAt = (k: number, t: number) => 0.9 ** (t * (k + 1));
const outcome: Outcome = experiment.outcome(
  new Map(
    runs.map(({ label, seed }, at) => {
      const k = labels.indexOf(label);
      const relativeError = Array.from({ length: 101 }, (_, t) => valueAt(k, t));
      const loss = relativeError.map((value) => 240 + value);
      const bytesPerUpdate = 80 * (k + 1) ** 2;
      return [
        `${at}: ${label} seed=${seed}`,
        resultOf({ label, seed, metrics: { relativeError, loss }, bytesPerUpdate }),
      ];
    }),
  ),
  "full",
);

const folder = mkdtempSync(join(tmpdir(), "equitopo-page-"));
let browser: Browser;
beforeAll(async () => {
  const check = {
    name: "a check with words",
    expected: "fewer rounds to 1e-6 than the other",
    measured: "12",
    pass: false,
  };
  const whole = { ...outcome, checks: Array.from({ length: 3 }, () => check) };
  const parts = [
    { experiment, outcome: whole },
    { experiment: withBars, outcome: bars },
  ] as const;
  const skipped = [
    { name: "mnist", why: "its data is not there: /a/folder/without/a/single/space/in/its/very/long/name" },
  ];
  const sections = parts.map(({ experiment: one, outcome: of }) => experimentSection(one, of, "full", true));
  const findings = findingsAbove(parts, skipped);
  const content = { title: "Four runs", lead: "By equitopo.", findings, sections: [...sections, notRun(skipped)] };
  writeFileSync(
    join(folder, "report.html"),
    report({ ...content, versions: { node: "20", earlier: [{ node: "22" }] } }),
  );
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const withBars = experiments.find(({ name }) => name === "rivals-learning") as Experiment;
const bars: Outcome = {
  figures: [
    {
      ...{ name: "bars", title: "Bars", caption: "Four.", xLabel: "relative error", log: true },
      bars: labels.slice(0, 3).map((label, k) => ({ label, topology: "ring", value: 10 ** -k })),
    },
  ],
  tables: [],
  checks: [],
};

async function opened(width: number, scheme: "light" | "dark"): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(pathToFileURL(join(folder, "report.html")).href);
  expect(errors).toEqual([]);
  return page;
}

describe.each([
  [390, "light"],
  [390, "dark"],
  [1440, "light"],
  [1440, "dark"],
] as const)("at %i pixels, %s", (width, scheme) => {
  it("does not scroll sideways, and its letters are large enough", async () => {
    const page = await opened(width, scheme);
    const [wide, least] = await page.evaluate(() => {
      const sizes = [...document.querySelectorAll("figure svg text")].map((text) => {
        // Turned letters, too, are as large as their scale.
        const { a, b } = (text as SVGTextElement).getScreenCTM() as DOMMatrix;
        return Math.hypot(a, b) * Number(text.getAttribute("font-size"));
      });
      return [document.documentElement.scrollWidth, Math.min(...sizes)];
    });
    expect(wide).toBeLessThanOrEqual(width);
    expect(least).toBeGreaterThan(9);
    await page.close();
  });

  it("tells the value of every curve under the pointer, and hides a curve whose box is cleared", async () => {
    const page = await opened(width, scheme);
    const panel = page.locator("figure svg:has(> g svg.curves)").first();
    await panel.scrollIntoViewIfNeeded();
    const place = async () => {
      const box = await page.locator("figure rect.frame").first().boundingBox();
      await page.mouse.move(box!.x + box!.width * 0.2, box!.y + box!.height * 0.5);
      return page.locator(".tip").innerText();
    };
    const told = await place();
    expect(told.split("\n")[0]).toBe("at 20");
    for (const [k, label] of labels.entries()) {
      const value = Number(new RegExp(`${label}: ([^\\n]*)`).exec(told)?.[1].replace("−", "-"));
      expect(value / valueAt(k, 20), label).toBeCloseTo(1, 1);
    }
    await page.locator(".legend input").first().uncheck();
    expect(await place()).not.toContain("Ring");
    await page.close();
  });
});
