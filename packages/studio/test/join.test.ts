import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
import { closeRtc, nodeRtc } from "@equitopo/rtc";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problems } from "../../equitopo/src/problem/registry.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { openRoom, simulated, sit } from "../../node/test/room/rooms.ts";

const page = readFileSync(fileURLToPath(new URL("../dist/join.html", import.meta.url)));
let browser: Browser;
beforeAll(async () => {
  problems.add(classificationFamily as never);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await closeRtc();
});

test("try", async () => {
  const t0 = performance.now();
  const log = (...a: unknown[]) => console.log(((performance.now() - t0) / 1000).toFixed(2), ...a);
  const { runs, invite, link, hash } = await openRoom(
    {
      topologies: [{ name: "od-equidyn", n: 11 }],
      algorithms: [{ name: "dsgd", learningRate: 0.05 }],
      problem: {
        name: "classification",
        data: { name: "synthetic", size: 24 },
        images: 440,
        tests: 110,
        model: "softmax-regression",
      },
      rounds: 60,
      evaluate: 60,
      every: 60,
    },
    { page },
  );
  const nodes = await Promise.all([0, 1, 2].map(() => sit(invite, { rtc: () => nodeRtc() })));
  log("nodes sit");
  const pages = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on("console", (m) => console.log("console", m.text()));
      page.on("pageerror", (m) => console.log("pageerror", m.message));
      await page.goto(link);
      return page;
    }),
  );
  log("pages open");
  const states = () => Promise.all(pages.map((p) => p.locator("main").getAttribute("data-phase")));
  const t = setInterval(
    async () =>
      log(
        ...(await Promise.all(
          pages.map((p) =>
            p
              .locator("main")
              .evaluate(
                (m) =>
                  m.dataset.phase +
                  m.dataset.updates +
                  " " +
                  (document.getElementById("links") as HTMLElement)?.dataset.open,
              ),
          ),
        )),
      ),
    1000,
  );
  await expect
    .poll(async () => (await states()).every((s) => s === "ended" || s === "failed"), { timeout: 50000 })
    .toBe(true);
  log("end");
  clearInterval(t);
  console.log(await pages[0].locator("main").innerText());
  await pages[0].screenshot({ path: "/tmp/seat-1.png", fullPage: true });
  for (const n of nodes) console.log(await n.done);
  console.log(hash(), simulated(runs));
}, 60000);
