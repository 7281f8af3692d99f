/** A page and a Node peer, linked by WebRTC, whichever of them dials. */

import { fileURLToPath } from "node:url";
import { Connection, introduce, LinkTransport } from "@equitopo/web";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { bundle, onlyLoopback } from "../../web/test/chromium/bundle.ts";
import { nodeRtc } from "../src/engine.ts";
import { closeRtc } from "../src/load.ts";

declare function meet(role: string, length: number): Promise<number>;
declare function fromNode(signal: string): void;

const same = { mode: "rtc", size: 2, spec: new Uint8Array(32), key: new Uint8Array(32).fill(7) } as const;
const length = 100_000;

describe.skipIf(onlyLoopback())("Chromium and Node", () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    script = await bundle(fileURLToPath(new URL("./chromium/page.ts", import.meta.url)));
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    closeRtc();
  });

  it.each([
    ["the page dials", "dialler", "listener"],
    ["Node dials", "listener", "dialler"],
  ] as const)("%s: they see the same fingerprints, and vectors go both ways", async (_, theirs, role) => {
    const page = await browser.newPage();
    const { engine, link } = await nodeRtc({ timeout: 30_000 });
    // Signals must not overtake each other.
    let order: Promise<unknown> = Promise.resolve();
    const send = (signal: string) => {
      order = order.then(() => page.evaluate((text) => fromNode(text), signal));
    };
    let connection: Connection | undefined;
    const early: string[] = [];
    await page.exposeFunction("toNode", (signal: string) => {
      if (connection === undefined) early.push(signal);
      else connection.signal(signal);
    });
    await page.goto("about:blank");
    await page.addScriptTag({ content: script });
    const met = page.evaluate(([said, count]) => meet(said, count), [theirs, length] as const);
    connection = new Connection({ engine, role, send });
    for (const signal of early) connection.signal(signal);
    const transport = new LinkTransport({ rank: 1, size: 2, spec: "a" });
    const known = introduce(await link, {
      ...{ ...same, role, rank: 1, peer: 0, fingerprints: await connection.fingerprints },
    });
    transport.attach(0, (await known).link);
    const outcome = await transport.exchange({
      ...{ round: 0, send: [{ peer: 0, data: new Float32Array(length).fill(3) }], mutual: true, timeout: 30_000 },
      receive: [{ peer: 0, length, type: "float32" }],
    });
    expect([outcome.arrived[0]?.[length - 1], await met]).toEqual([2, 3 * length]);
    await transport.close();
    await page.close();
  });
});
