/** A graph of the person's own in the studio: picked or dropped, read by a worker that is fetched for it, shown in every view. */

import { createTopology } from "equitopo";
import { readGraph } from "equitopo/topology";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStudio, type Studio } from "../../../cli/src/command/studio/server.ts";
import { fetchedScripts } from "../../../cli/src/peers/built-page.ts";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { axeViolations, openStudioPage, studioHtml } from "./studio-page.ts";

let browser: Browser;
let studio: Studio;

beforeAll(async () => {
  studio = await openStudio({
    page: studioHtml(),
    scripts: fetchedScripts(),
    host: "127.0.0.1",
    port: 0,
    token: "the-token",
  });
  browser = await launchChromium();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await studio?.close();
});

/** A wheel of 12 nodes: a ring, and spokes to node 0. */
const pairs = Array.from({ length: 11 }, (_, k) => [
  [0, k + 1],
  [k + 1, ((k + 1) % 11) + 1],
]).flat();
const wheel = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
${Array.from({ length: 12 }, (_, i) => `<node id="${i}"/>`).join("")}
${pairs.map(([a, b]) => `<edge source="${a}" target="${b}"/>`).join("")}</graph></graphml>`;
const { rate } = createTopology({ name: "file", graph: readGraph(new TextEncoder().encode(wheel)) }).rate();

const origin = () => new URL(studio.address).origin;
const fetched = async (page: Page) => (await page.locator('script[src="./graphs.js"]').count()) > 0;

/** As a person drops a file on the page. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    ([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      document
        .querySelector("main")
        ?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

test("a dropped file is the first topology, in every view; what is no graph is refused in words", async () => {
  const { page, errors, close } = await openStudioPage(browser, { address: origin(), strict: true });
  expect(await fetched(page)).toBe(false);
  await drop(page, "wheel.graphml", wheel);
  await page.locator(".pair").getByText("wheel.graphml").first().waitFor();
  expect(await fetched(page)).toBe(true);
  expect(await page.locator("main").innerText()).not.toContain("[object");
  expect(await page.locator("aside").innerText()).toContain("wheel.graphml");
  await page.getByRole("link", { name: "Spectrum" }).click();
  await page.waitForFunction(
    (wanted) => document.querySelector('[data-fact="rate"]')?.textContent?.includes(wanted),
    rate.toFixed(3),
  );
  await page.getByRole("link", { name: "Curves" }).click();
  await page.getByText("wheel.graphml").first().waitFor();
  await page.getByRole("link", { name: "Learning" }).click();
  await page.getByText("wheel.graphml").first().waitFor();
  await drop(page, "notes.csv", "from,to\n1,2\n");
  await page.getByText("notes.csv cannot be shown: labels count from 0, and node 0 has no edge").waitFor();
  await drop(page, "path.csv", "source,target\n0,1\n1,2\n2,3\n");
  await page.getByText("path.csv").first().waitFor();
  expect(await page.getByText("cannot be shown").count()).toBe(0);
  await close();
  expect(errors).toEqual([]);
}, 120_000);

test("a button does the same, and the page stays within reach of everybody", async () => {
  const { page, errors, close } = await openStudioPage(browser, { address: origin() });
  await page.getByText("More", { exact: true }).click();
  await page
    .getByLabel("A graph of your own")
    .setInputFiles({ name: "wheel.graphml", mimeType: "", buffer: Buffer.from(wheel) });
  await page.locator(".pair").getByText("wheel.graphml").first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const picture = process.env["EQUITOPO_PICTURE"];
  if (picture !== undefined) await page.screenshot({ path: picture });
  await page.getByRole("button", { name: "Export" }).click();
  const text = await page.getByRole("dialog").evaluate((dialog) => {
    return `${dialog.textContent} ${[...dialog.querySelectorAll("textarea")].map(({ value }) => value).join(" ")}`;
  });
  expect(text).toContain("equitopo gossip --file wheel.graphml");
  expect(text).toContain("path: wheel.graphml");
  expect(text).not.toContain("edges");
  await close();
  expect(errors).toEqual([]);
}, 120_000);

test("so does a page on a disk, under its own policy", async () => {
  const { page, errors, close } = await openStudioPage(browser, { strict: true });
  await drop(page, "wheel.graphml", wheel);
  await page.locator(".pair").getByText("wheel.graphml").first().waitFor();
  await close();
  expect(errors).toEqual([]);
}, 60_000);
