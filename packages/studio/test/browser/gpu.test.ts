/** The learning view on a GPU, here a software one: the worker that it fetches, and numbers that are the CPU's to rounding. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStudio, type Studio } from "../../../cli/src/command/studio/server.ts";
import { fetchedScripts } from "../../../cli/src/peers/built-page.ts";
import { launchChromium } from "../../../equitopo/test/chromium.ts";
import { openStudioPage, studioHtml } from "./studio-page.ts";

let browser: Browser;
let studio: Studio;
let hasAdapter = false;

beforeAll(async () => {
  studio = await openStudio({
    page: studioHtml(),
    scripts: fetchedScripts(),
    host: "127.0.0.1",
    port: 0,
    token: "the-token",
  });
  browser = await launchChromium(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]);
  const { page, close } = await openStudioPage(browser, { address: new URL(studio.address).origin });
  hasAdapter = await page.evaluate(async () => (await navigator.gpu?.requestAdapter()) != null);
  if (!hasAdapter)
    process.stderr.write("\nNO WEBGPU IN THIS CHROMIUM: the studio's training on a GPU WAS NOT TESTED\n\n");
  await close();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await studio?.close();
});

test("trains there as on the CPU", async (context) => {
  if (!hasAdapter) context.skip();
  const fragment = "view=learning&topology=od-equidyn,ring&learners=4&method=dsgt&update=15";
  const facts = async (device: string) => {
    const { page, errors, close } = await openStudioPage(browser, {
      ...{ address: new URL(studio.address).origin, view: `${fragment}&device=${device}` },
    });
    await page.waitForFunction(() => document.querySelector("#update b")?.textContent === "15", undefined, {
      timeout: 60_000,
    });
    const texts = await page.locator('[data-fact="disagreement"], [data-fact="averaged"]').allInnerTexts();
    expect(await page.getByLabel("Compute on the GPU").isChecked()).toBe(device === "gpu");
    const fetched = page.workers().some((worker) => worker.url().endsWith("/gpu.js"));
    await close();
    expect(errors).toEqual([]);
    return { numbers: texts.map(Number.parseFloat), fetched };
  };
  const cpu = await facts("cpu");
  const gpu = await facts("gpu");
  expect([cpu.fetched, gpu.fetched]).toEqual([false, true]);
  expect(gpu.numbers).toHaveLength(4);
  gpu.numbers.forEach((number, k) => {
    expect(number).toBeCloseTo(cpu.numbers[k], 2);
  });
}, 120_000);

test("from a file it says why not", async () => {
  const { page, close } = await openStudioPage(browser, { view: "view=learning&learners=4&update=2&device=gpu" });
  await page.getByText("not from a file: serve the page, as equitopo studio does").waitFor();
  expect(await page.getByLabel("Compute on the GPU").isDisabled()).toBe(true);
  await page.waitForFunction(() => document.querySelector("#update b")?.textContent === "2");
  await close();
});
