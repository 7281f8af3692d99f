/** What the views of learning, spectra and advice show in Chromium is what the library says, to the last digit shown. */

import { classificationFamily } from "@equitopo/nn";
import { advise, createTopology, dEquiStatic, expandSpec, predictedRounds, problems, runSpec } from "equitopo";
import { showBytes, showCount, showRate } from "equitopo/internal/picture";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { questionOf } from "../../src/advice/question.ts";
import { inTitles } from "../../src/advice/rows.ts";
import { showNumber, showShare } from "../../src/part/numbers.ts";
import { readView } from "../../src/view/view.ts";
import { documentOf, taskOf } from "../../src/work/learning/task.ts";
import { openStudioPage } from "./studio-page.ts";

problems.add(classificationFamily);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 120_000);
afterAll(() => browser?.close());

async function open(view: string): Promise<{ page: Page; errors: string[] }> {
  return openStudioPage(browser, { view });
}

const fact = (page: Page, name: string) => page.locator(`[data-fact="${name}"]`);

describe("learning", () => {
  const fragment = "view=learning&topology=od-equidyn,ring&learningN=6&batch=16&update=12";

  test("a link shows the numbers of the run that its spec describes", async () => {
    const { page, errors } = await open(fragment);
    await page.locator("figure.trained").nth(1).waitFor();
    await page.waitForFunction(() => document.querySelector("#update b")?.textContent === "12");
    const view = readView(fragment);
    for (const [place, run] of expandSpec(documentOf(taskOf(view), view.topology, 12)).entries()) {
      const { metrics, evaluations, bytes } = runSpec(run);
      const found = (name: string) => evaluations?.metrics[name][0] as number;
      const shown = page.locator("figure.trained").nth(place);
      const text = (name: string) => shown.locator(`[data-fact="${name}"]`).innerText();
      expect(await text("averaged")).toBe(showShare(found("averagedAccuracy")));
      expect(await text("own")).toBe(`${showShare(found("meanAccuracy"))}, ${showShare(found("worstAccuracy"))}`);
      expect(await text("disagreement")).toBe(showNumber(metrics["consensusDistance"][12]));
      expect(await text("bytes")).toBe(showBytes(bytes[12]));
    }
    expect(errors).toEqual([]);
  });

  test("a node is looked at, steps are taken, playing goes on, and the address says where it stands", async () => {
    const { page, errors } = await open(fragment);
    await page.getByRole("button", { name: /^Node 3,/ }).click();
    await fact(page, "node").first().waitFor();
    expect(await page.locator("#holding").innerText()).toMatch(/^Node 3 holds 10[67] points of class \d\.$/);
    await page.getByRole("button", { name: "One update on" }).click();
    await page.waitForFunction(() => document.querySelector("#update b")?.textContent === "13");
    await page.waitForFunction(() => /learningNode=3/.test(location.hash) && /update=13/.test(location.hash));
    await page.locator("#play").click();
    await page.waitForFunction(() => Number(document.querySelector("#update b")?.textContent) > 15);
    await page.locator("#play").click();
    await page.waitForFunction(() => /update=(1[6-9]|[2-9]\d|\d{3,})/.test(location.hash));
    expect(errors).toEqual([]);
  });

  test("what does not go together is said in its place", async () => {
    const { page } = await open("view=learning&topology=od-equidyn,ring&learners=6&method=extra&update=3");
    await page.locator(".trained .trouble").waitFor();
    expect(await page.locator(".trained .trouble").innerText()).toContain("extra needs a static symmetric W");
    await page.locator('.trained[data-topology="ring"] [data-fact="averaged"]').waitFor();
  });
});

describe("spectrum", () => {
  test("the rate moves along with an index, and the designer finds a better graph", async () => {
    const { page, errors } = await open("view=spectrum&graph=d-equistatic;basis=1_9_22&n=40");
    const shows = (basis: number[]) => {
      const graph = dEquiStatic({ n: 40, basis });
      return page
        .locator('[data-fact="rate"]', { hasText: showRate(graph.rate().rate) })
        .waitFor()
        .then(() => fact(page, "rounds").innerText())
        .then((text) => expect(text).toBe(showCount(predictedRounds(graph, 1e-6))));
    };
    await shows([1, 9, 22]);
    await page.getByLabel("u2", { exact: true }).press("ArrowRight");
    await shows([1, 10, 22]);
    expect(await page.locator("#basis").inputValue()).toBe("1, 10, 22");
    await page.locator("#basis").fill("1, 11 -6");
    await page.locator("#basis").press("Enter");
    await shows([1, 11, 34]);
    await page.waitForFunction(() => /basis=1_11_34/.test(location.hash));

    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("button", { name: "Show what was found" }).click();
    const found = await fact(page, "designed").first().innerText();
    await page.locator('[data-fact="rate"]', { hasText: found }).waitFor();
    expect(Number(found)).toBeLessThan(dEquiStatic({ n: 40, basis: [1, 11, 34] }).rate().rate);
    await page.waitForFunction(() => /graph=designed-static;self=.*weights=/.test(location.hash));
    // The address alone builds the same graph again.
    const { graph } = readView(await page.evaluate(() => location.hash));
    expect(showRate(createTopology({ ...graph, n: 40 }).rate().rate)).toBe(found);
    expect(errors).toEqual([]);
  });

  test("what a spectrum is of is said for rounds that change", async () => {
    const { page } = await open("view=spectrum&graph=od-equidyn&n=30");
    await page.locator("#meaning", { hasText: "Rounds are drawn anew" }).waitFor();
    expect(await fact(page, "rate").innerText()).toBe(
      showRate(createTopology({ name: "od-equidyn", n: 30 }).rate().rate),
    );
    await page.getByRole("radio", { name: "one W(t)" }).check();
    await page.locator("#meaning", { hasText: "One round alone" }).waitFor();
  });
});

describe("advice", () => {
  test("is the adviser's: its reasons, its order, and links into the other views", async () => {
    const { page, errors } = await open("view=advice&n=12&peers=1");
    await page.getByText("All families that are registered were asked.").waitFor({ timeout: 60_000 });
    const advice = advise(questionOf(readView("n=12&peers=1")));
    expect(await page.locator("#why").innerText()).toBe(inTitles(advice.why));
    const first = page.locator("#ranking tbody tr").first();
    expect(await first.getAttribute("data-label")).toBe(advice.ranking[0].label);
    const paper = page.locator('#ranking tr[data-label="od-equidyn"]');
    expect(await paper.locator("td").nth(1).innerText()).toBe(
      showCount(advice.ranking.find(({ label }) => label === "od-equidyn")?.rounds ?? 0),
    );
    await page.getByRole("link", { name: "Curves of OD-EquiDyn", exact: true }).click();
    await page.locator("main#curves").waitFor();
    await page.waitForFunction(() => /view=curves/.test(location.hash));
    expect(errors).toEqual([]);
  });

  test("slow families are given up by a button", async () => {
    const { page } = await open("view=advice&n=200&goal=dsgd");
    await page.locator("#ranking tbody tr").first().waitFor();
    await page.getByRole("button", { name: "End" }).click();
    await page.getByText("Only the first families were asked.").waitFor();
    // What was found so far stays, and no more is asked until somebody wants it.
    const rows = await page.locator("#ranking").innerText();
    await page.waitForTimeout(1000);
    expect(await page.locator("#ranking").innerText()).toBe(rows);
    await page.getByRole("button", { name: "Ask all" }).click();
    await page.getByText("The ranking so far").waitFor();
    // No verdict before all were asked.
    expect(await page.locator("#why").count()).toBe(0);
  });
});
