/**
 * The laws of transports inside a real Chromium, over pairs of RTCPeerConnections in one page. All of them in a worker that
 * owns the channels, as a seat does; some in the page, and some in a worker that has only ports to them.
 */

import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { transportLaws } from "../../equitopo/src/testing/transport.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { bundle, onlyLoopback } from "./chromium/bundle.ts";

const names = transportLaws(() => Promise.reject(new Error("only their names are read"))).map(({ name }) => name);
const alone = onlyLoopback();

declare function keepLaw(name: string, where: string): Promise<void>;

describe.skipIf(alone)("links over WebRTC in Chromium", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    await page.route("http://localhost/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto("http://localhost/");
    await page.addScriptTag({ content: await bundle(fileURLToPath(new URL("./chromium/page.ts", import.meta.url))) });
  }, 60_000);
  afterAll(() => browser?.close());

  it.each(names)("in a worker: %s", (name) => page.evaluate((law) => keepLaw(law, "worker"), name));

  it.each([
    ["page", /voids|closes once/],
    ["bridge", /large vector|closes once/],
  ])("in a %s: some of them", async (where, some) => {
    for (const law of names.filter((name) => some.test(name))) {
      await page.evaluate(([one, place]) => keepLaw(one, place), [law, where]);
    }
  });
});
