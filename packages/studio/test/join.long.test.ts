/**
 * Browsers as peers, from the invite link to the trained model, in a real Chromium: the simulator's bits, tabs that are
 * closed and killed, a server that dies, a reload, strangers.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { runSpec } from "../../equitopo/src/run/run.ts";
import { expandSpec } from "../../equitopo/src/run/spec.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { openRoom, sitAsNode } from "../../node/test/room/rooms.ts";
import { hold, networked, page, rankOf, serve, shownBy, simulatedRows, softmax, tab, until } from "./seats.ts";

// Eleven peers on a machine that may have other things to do.
vi.setConfig({ testTimeout: 180_000 });

let browser: Browser;

beforeAll(async () => {
  if (!networked) console.warn("SKIPPED: browsers as peers. WebRTC needs a network interface beside loopback.");
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

const times = <T>(count: number, make: (k: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, k) => make(k)));

describe.skipIf(!networked)("browsers as peers", () => {
  test("8 browsers and 3 Node peers have the simulator's bits", async () => {
    const document = softmax(11, 40);
    const { link, result, end } = await serve(document, "--fill", "3", "--timeout", "60000");
    try {
      const tabs = await times(8, () => tab(browser, link));
      const shown = await Promise.all(tabs.map(shownBy));
      const [run] = expandSpec(document);
      const { hashes } = simulatedRows(run);
      for (const { rank, hash, missed, direct, relayed } of shown) {
        expect({ hash, missed, direct, relayed }).toEqual({ hash: hashes[rank], missed: 0, direct: 7, relayed: 0 });
      }
      expect((await result()).runs).toMatchObject([{ updates: 40, stateHash: runSpec(run).stateHash }]);
    } finally {
      await end();
    }
  });

  test("one tab is closed and one is killed midway: the rest end, and wait no longer than for the connection's notice", async () => {
    const { runs, invite, link, events } = await openRoom(softmax(11, 60), { page, timeout: 30_000 });
    const nodes = await times(3, () => sitAsNode(invite));
    const { held, release } = hold(nodes[0].transport, 30);
    const tabs = await times(8, () => tab(browser, link));
    await held;
    const [closed, killed, ...rest] = tabs;
    await closed.close();
    const session = await killed.context().newCDPSession(killed);
    void session.send("Page.crash").catch(() => {});
    const begun = performance.now();
    release();
    const shown = await Promise.all(rest.map(shownBy));
    await Promise.all(nodes.map(({ done }) => done));
    expect((performance.now() - begun) / 1000).toBeLessThan(20);
    const { accuracy } = simulatedRows(runs[0]);
    for (const seat of shown) {
      expect(Math.abs(seat.accuracy - 100 * accuracy)).toBeLessThanOrEqual(1);
      expect(seat.missed).toBeGreaterThan(0);
    }
    const waits = events.flatMap((event) => (event.kind === "record" ? [event.faults.longestWait] : []));
    expect(Math.max(...waits)).toBeLessThan(12_000);
  });

  test("a server that is killed before the first round changes nothing", async () => {
    const { runs, invite, link, room, server } = await openRoom(softmax(4, 30), { page, timeout: 30_000 });
    const heard = room.heard.bind(room);
    // The word to start is never said: all are ready, and the server is gone.
    room.heard = (socket, message) => {
      const actions = heard(socket, message);
      if (!room.started) return actions;
      void server.close();
      return [];
    };
    const node = await sitAsNode(invite);
    const tabs = await times(3, () => tab(browser, link));
    const shown = await Promise.all(tabs.map(shownBy));
    await node.done;
    const { hashes } = simulatedRows(runs[0]);
    for (const { rank, hash, missed } of shown) expect({ hash, missed }).toEqual({ hash: hashes[rank], missed: 0 });
  });

  test("a reloaded tab comes back to its seat and goes on", async () => {
    const { invite, link } = await openRoom(softmax(4, 150), { page, timeout: 20_000 });
    const nodes = await times(2, () => sitAsNode(invite));
    const { held, release } = hold(nodes[0].transport, 80);
    const tabs = await times(2, () => tab(browser, link));
    await held;
    const ranks = await Promise.all(tabs.map(rankOf));
    await tabs[0].reload();
    await until(tabs[0], "connecting", "training");
    await expect.poll(() => rankOf(tabs[0])).toBe(ranks[0]);
    release();
    const shown = await Promise.all(tabs.map(shownBy));
    expect(shown.map(({ rank }) => rank)).toEqual(ranks);
    expect(await tabs[0].textContent("#result")).toMatch(/back since round \d+/);
    await Promise.all(nodes.map(({ done }) => done));
  });
});

describe("strangers", () => {
  const trouble = async (tab: Page) => {
    await until(tab, "failed");
    return await tab.textContent(".trouble");
  };

  test("without the key there is no seat and nothing to see; without a room, a server or a link, plain words", async () => {
    const { link, room, server } = await openRoom(softmax(2, 5000), { page });
    const wrong = link.replace(/key=.{4}/, "key=AAAA");
    const stranger = await tab(browser, wrong);
    expect(await trouble(stranger)).toMatch(/no such room/);
    expect(await stranger.textContent("main")).not.toMatch(/dsgd|softmax|classification/);
    expect(room.seats.every(({ state }) => state === "free")).toBe(true);
    expect(await trouble(await tab(browser, link.replace(/#.*/, "")))).toMatch(/does not say which/);
    expect(await trouble(await tab(browser, link.replace(/&key.*/, "")))).toMatch(/32 bytes/);
    const late = await tab(browser, link);
    const later = await tab(browser, link);
    await until(late, "connecting");
    await until(later, "connecting", "training");
    expect(await trouble(await tab(browser, link))).toMatch(/every seat is taken/i);
    await server.close();
  });
});
