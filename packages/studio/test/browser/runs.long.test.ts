import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readable } from "../../../equitopo/src/internal/picture.ts";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { changed, resultsOf, runInto, scratch } from "./run-folder.ts";
import { axeViolations, type Opened, openStudioPage, sideways } from "./studio-page.ts";

const folder = scratch();
let browser: Browser;
let run: string;
let opened: Opened;

beforeAll(async () => {
  run = runInto(folder, "mine", ["--transport", "threads"]);
  browser = await launchChromium();
  opened = await openStudioPage(browser, { view: "view=runs" });
}, 120_000);
afterAll(() => browser?.close());

/** Rows of cells of the table with that caption. */
async function table(caption: string): Promise<string[][]> {
  const rows = opened.page
    .locator("table", { has: opened.page.getByText(caption, { exact: true }) })
    .locator("tbody tr");
  return Promise.all((await rows.all()).map((row) => row.locator("th, td").allInnerTexts()));
}

test("a folder that is opened from file: shows the run's own numbers", async () => {
  const { page, errors } = opened;
  await page.locator("#pick").setInputFiles(run);
  await page.locator("#run-name").waitFor();
  expect(await page.locator("#run-name").innerText()).toBe("mine");
  expect(await page.locator("#run-state").innerText()).toBe("Complete: 2 of 2 units of work, run");
  expect(await page.locator("#run-troubles").count()).toBe(0);
  const told = resultsOf(run);
  const shown = await table("After the last update");
  expect(shown.map((cells) => [cells[0], cells[2], cells[3], cells.at(-1)])).toEqual(
    told.map(({ label, rate, metrics, stateHash }) => {
      return [label, readable(rate), readable(metrics["relativeError"]), stateHash.slice(0, 12)];
    }),
  );
  const peers = await table("Peers");
  expect(peers.map((cells) => cells.slice(0, 4))).toEqual(told.map(({ label }) => [label, "1", "4", "threads"]));
  const label = await page.locator("#curves-run").getAttribute("alt");
  for (const { label: name, metrics } of told) {
    expect(label).toContain(`${name} ${metrics["relativeError"].toPrecision(4)}`);
  }
  expect(errors).toEqual([]);
});

test("metric and axis are chosen, and are in the address", async () => {
  const { page } = opened;
  await page.getByRole("radio", { name: "bytes" }).check();
  await page.getByLabel("Metric").selectOption("loss");
  const label = page.locator("#curves-run");
  expect(await label.getAttribute("alt")).toMatch(/^Curves of loss against bytes/);
  await page.waitForFunction(() => /metric=loss&against=bytes/.test(location.hash));
});

test("stored figures and the spec are there to look at; axe finds nothing, on a phone either", async () => {
  const { page, errors } = opened;
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.getByAltText("Stored figure run-relative-error").waitFor();
  expect(await page.getByLabel("spec.json").inputValue()).toContain('"od-equidyn"');
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(100);
  expect(await sideways(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(errors).toEqual([]);
});

test("a changed file, a torn line, an unfinished run: shown, with what is wrong", async () => {
  const { page } = opened;
  const torn = changed(run, join(folder, "torn"), "journal.ndjson", (text) => text.slice(0, -20));
  await page.locator("#pick").setInputFiles(torn);
  await page.getByText("1 of 2 units of work not finished.").waitFor();
  expect(await page.locator("#run-troubles").innerText()).toContain(
    "1 line of the journal torn, changed or of another spec",
  );
  const bent = changed(run, join(folder, "bent"), "run-final.csv", (text) => `${text} `);
  await page.locator("#pick").setInputFiles(bent);
  await page.getByText("Missing or changed since the run ended: run-final.csv.").waitFor();
});

test("files of a run that are dropped onto the page open it", async () => {
  const { page } = opened;
  const names = ["spec.json", "journal.ndjson", "versions.json"];
  const files = names.map((name) => [name, readFileSync(join(run, name), "utf8")] as const);
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, text] of given) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent(".bench", "drop", { dataTransfer: data });
  await page.getByText("Not complete: 2 of 2 units of work, run").waitFor();
  expect((await table("After the last update")).map(([label]) => label)).toEqual(["od-equidyn", "ring"]);
});

test("a folder of something else, or of another time, gets a clear word", async () => {
  const { page } = opened;
  const foreign = join(folder, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "holiday.txt"), "sun");
  await page.locator("#pick").setInputFiles(foreign);
  const trouble = page.locator("#runs-trouble");
  await trouble.waitFor();
  expect(await trouble.innerText()).toMatch(/^No run among these 1 files: the folder of a run has a spec.json/);
  const newer = changed(run, join(folder, "newer"), "spec.json", (text) => text.replace('"format": 2', '"format": 9'));
  await page.locator("#pick").setInputFiles(newer);
  await page
    .getByText("newer cannot be shown: a run's folder must be of format 2, got 9; use a newer equitopo")
    .waitFor();
  expect(opened.errors).toEqual([]);
});
