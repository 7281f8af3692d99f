/** The page as `equitopo studio` serves it: its runs, and what is told to it while it is looked at. */

import type { LiveEvent } from "@equitopo/web";
import { createTopology } from "equitopo";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStudio, type Studio } from "../../../cli/src/command/studio/server.ts";
import { openReporter, type Reporter } from "../../../cli/src/live/reporter.ts";
import { fetchedScripts } from "../../../cli/src/peers/built-page.ts";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { runInto, scratch } from "./run-folder.ts";
import { axeViolations, type Opened, openStudioPage, sideways, studioHtml } from "./studio-page.ts";

const topology = { name: "ou-equidyn", n: 7, seed: 3 };
const begin: LiveEvent = {
  ...{ kind: "begin", title: "Seven peers", how: "peers over tcp" },
  runs: [{ label: "OU-EquiDyn", topology, rounds: 90, seed: 0 }],
};
const round = (rank: number, at: number, lag = 0): LiveEvent => {
  return { kind: "round", rank, run: 0, round: at, partners: [(rank + 1) % 7], bytes: 100 * at, lag };
};
const faults = { missed: 2, voided: 1, late: 3, reconnects: 1, refused: 0, longestWait: 5 };

let browser: Browser;
let studio: Studio;
let reporter: Reporter;
let opened: Opened;

const folder = scratch();

beforeAll(async () => {
  runInto(folder, "mine", ["--workers", "1"]);
  studio = await openStudio({
    page: studioHtml(),
    scripts: fetchedScripts(),
    folder,
    host: "127.0.0.1",
    port: 0,
    token: "the-token",
  });
  reporter = await openReporter(studio.address, "source");
  browser = await launchChromium();
  const [address, fragment] = studio.address.split("#");
  // As it is served, policy and all.
  opened = await openStudioPage(browser, { address, view: `view=runs&${fragment}`, strict: true });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await reporter?.close();
  await studio?.close();
});

test("the served run is open at once, and the token is out of the address", async () => {
  const { page } = opened;
  await page.locator("#run-name").waitFor();
  expect(await page.locator("#run-name").innerText()).toBe("mine");
  // The address follows the view a moment later.
  await page.waitForFunction(() => location.hash === "#view=runs&run=mine");
});

test("what is told is shown: where peers stand, lag, faults, and the round's exchanges as the library has them", async () => {
  const { page, errors } = opened;
  reporter.tell(begin);
  for (let rank = 0; rank < 6; rank++) reporter.tell(round(rank, rank === 2 ? 40 : 42, rank === 2 ? 2 : 0));
  reporter.tell({ kind: "faults", rank: 2, run: 0, faults });
  reporter.tell({ kind: "metrics", run: 0, updates: 40, metrics: { loss: 0.125 } });
  reporter.tell({ kind: "gone", rank: 5 });
  await page.getByRole("button", { name: "Seven peers live" }).click();
  await page.locator("#live-facts").getByText("6 of 7").waitFor();
  const facts = await page.locator("#live-facts").innerText();
  expect(facts.split(/\s*\n\s*/)).toEqual([
    ...["run", "OU-EquiDyn", "peers heard of", "6 of 7", "running, ended, gone", "5, 0, 1"],
    ...["updates done", "41 to 43 of 90", "largest lag", "2", "messages missed", "2", "exchanges void", "1"],
    ...["came late", "3", "reconnects", "1", "refused", "0", "bytes sent in all", "25.0 kB"],
  ]);
  const { partner } = createTopology(topology).round(40) as unknown as { partner: Int32Array };
  const pairs = partner.filter((other, i) => other !== i).length / 2;
  await page.getByText(`Round 40 of ou-equidyn: ${pairs} exchanges.`).waitFor();
  const rows = page.locator("table tbody tr");
  expect(await rows.nth(2).locator("th, td").allInnerTexts()).toEqual(
    ["2", "running", "41", "2", "3", "4,000", "2", "1", "3", "1"],
  ); // biome-ignore format: a row
  expect(await rows.nth(5).locator("td").nth(0).innerText()).toBe("gone");
  expect(await page.getByAltText("loss so far: OU-EquiDyn 0.1250.").count()).toBe(1);
  expect(errors).toEqual([]);
});

test("it goes on while it is looked at, and says when it is over", async () => {
  const { page } = opened;
  for (let rank = 0; rank < 7; rank++) reporter.tell(round(rank, 50));
  await page.locator("#live-facts").getByText("51 to 51 of 90").waitFor();
  for (let rank = 0; rank < 7; rank++) reporter.tell({ kind: "end", rank });
  reporter.tell({ kind: "over" });
  await page.locator("#live-facts").getByText("0, 7, 0").waitFor();
  expect(await page.locator("#live-state").innerText()).toBe("By peers over tcp; over");
});

test("axe finds nothing, and a phone has room for it", async () => {
  const { page } = await openStudioPage(browser, {
    ...{ address: `${new URL(studio.address).origin}/`, width: 390, height: 844, dark: true },
    view: "view=runs&live=source&token=the-token",
  });
  await page.locator("#live-facts").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
});

test("without the token the page is there, and nothing else", async () => {
  const { page } = await openStudioPage(browser, { address: new URL(studio.address).origin, view: "view=runs" });
  await page.getByText("Nothing is open.").waitFor();
  expect(await page.locator("#live-list").count()).toBe(0);
  const status = await page.evaluate(() => fetch("/api/live").then(({ status }) => status));
  expect(status).toBe(403);
});
