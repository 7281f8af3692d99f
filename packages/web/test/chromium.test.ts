/**
 * The laws of transports inside a real Chromium, over pairs of RTCPeerConnections in one page. All of them in a worker that
 * owns the channels, as a seat does; some in the page, and some in a worker that has only ports to them.
 */

import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, it } from "vitest";
import { transportLaws } from "../../equitopo/src/testing/transport.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";

const names = transportLaws(() => Promise.reject(new Error("only their names are read"))).map(({ name }) => name);
const alone = Object.values(networkInterfaces()).every((addresses) => addresses?.every(({ internal }) => internal));
if (alone) console.warn("SKIPPED: WebRTC in Chromium, which has none where there is no network but loopback");

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    worker: { format: "iife" },
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL("./chromium/page.ts", import.meta.url)), formats: ["iife"], name: "page" },
    },
  });
  const [{ output }] = [result].flat() as { output: { code: string }[] }[];
  return output[0].code;
}

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
    await page.addScriptTag({ content: await bundle() });
  }, 60_000);
  afterAll(() => browser?.close());

  it.each(names)("in a worker: %s", (name) => page.evaluate((law) => keepLaw(law, "worker"), name));

  it.each(["page", "bridge"])("in a %s: a large vector, votes, and the end", async (where) => {
    for (const law of names.filter((name) => /large vector|voids|closes once/.test(name))) {
      await page.evaluate(([one, place]) => keepLaw(one, place), [law, where]);
    }
  });
});
