/**
 * Another engine in the same run: Firefox beside Chromium and Node. Debian's (apt install firefox-esr) is taken where it is
 * found, or the program that EQUITOPO_FIREFOX names; nobody drives it, its page reports for itself.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { openRoom, simulated, sitAsNode } from "../../node/test/room/rooms.ts";
import { networked, page, shownBy, softmax, tab } from "./seats.ts";

const places = [process.env["EQUITOPO_FIREFOX"], "/usr/lib/firefox-esr/firefox-esr", "/usr/bin/firefox"];
const found = places.find((path) => path !== undefined && existsSync(path));
if (found === undefined || !networked) {
  console.warn("SKIPPED: Firefox as a peer. It needs firefox-esr (or EQUITOPO_FIREFOX) and a network beside loopback.");
}

let [browser, firefox]: [Browser?, ChildProcess?] = [];
const profile = mkdtempSync(join(tmpdir(), "equitopo-firefox-"));

afterAll(async () => {
  await browser?.close();
  if (firefox?.exitCode === null) {
    firefox.kill("SIGKILL");
    await once(firefox, "exit");
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

test.skipIf(found === undefined || !networked)(
  "Firefox, Chromium and Node have the simulator's bits together",
  async () => {
    const { runs, room, invite, link, hash } = await openRoom(softmax(3, 30), { page });
    const node = await sitAsNode(invite);
    // No first-run pages, no updates: nothing but the link is opened.
    const settings = {
      "browser.aboutwelcome.enabled": false,
      "app.update.auto": false,
      "datareporting.policy.dataSubmissionEnabled": false,
    };
    const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});\n`);
    writeFileSync(join(profile, "user.js"), lines.join(""));
    const libraries = [dirname(found as string), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
    const unattended = link.replace("#", "?join#");
    firefox = spawn(found as string, ["--headless", "--no-remote", "--profile", profile, unattended], {
      stdio: "ignore",
      env: { ...process.env, LD_LIBRARY_PATH: libraries },
    });
    await expect
      .poll(() => room.seats.filter(({ runtime }) => runtime === "browser").length, { timeout: 30_000 })
      .toBe(1);
    browser = await launchChromium();
    const { missed, relayed } = await shownBy(await tab(browser, link));
    await node.done;
    expect({ missed, relayed }).toEqual({ missed: 0, relayed: 0 });
    await expect.poll(hash, { timeout: 10_000 }).toBe(simulated(runs));
  },
);
