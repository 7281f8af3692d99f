/** A room on a graph from a file: tabs and Node peers are handed the graph itself, and end with the simulator's bits. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withGraphs } from "../../equitopo/src/run/graphs.ts";
import { runSpec } from "../../equitopo/src/run/run.ts";
import { expandSpec } from "../../equitopo/src/run/spec.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { networked, serve, shownBy, softmax, tab } from "./seats.ts";

let browser: Browser;

beforeAll(async () => {
  if (!networked) console.warn("SKIPPED: a room on a graph. WebRTC needs a network interface beside loopback.");
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

test.skipIf(!networked)("two tabs and two Node peers on a kite", { timeout: 180_000 }, async () => {
  const kite = new TextEncoder().encode("source,target\n0,1\n0,2\n1,2\n2,3\n");
  const named = { ...softmax(4, 20), topologies: [{ name: "file", path: "kite.csv" } as const] };
  const document = withGraphs(named, () => kite);
  const { link, result, end } = await serve(document, "--fill", "2", "--timeout", "60000");
  try {
    const tabs = await Promise.all([tab(browser, link), tab(browser, link)]);
    const shown = await Promise.all(tabs.map(shownBy));
    expect(shown.map(({ missed }) => missed)).toEqual([0, 0]);
    const [run] = expandSpec(document);
    expect((await result()).runs).toMatchObject([{ label: "kite.csv", stateHash: runSpec(run).stateHash }]);
  } finally {
    await end();
  }
});
