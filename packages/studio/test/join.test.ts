import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
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
afterAll(() => browser?.close());

test("try", async () => {
  const { runs, invite, link, hash } = await openRoom(
    {
      topologies: [{ name: "od-equidyn", n: 3 }],
      algorithms: [{ name: "dsgd", learningRate: 0.05 }],
      problem: {
        name: "classification",
        data: { name: "synthetic", size: 24 },
        images: 120,
        tests: 30,
        model: "softmax-regression",
      },
      rounds: 60,
      evaluate: 30,
    },
    { page },
  );
  const { done } = await sit(invite);
  const pages = await Promise.all(
    [0, 1].map(async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on("console", (m) => console.log("console", m.text()));
      page.on("pageerror", (m) => console.log("pageerror", m.message));
      await page.goto(link);
      return page;
    }),
  );
  const t = setInterval(
    async () => console.log(await Promise.all(pages.map((p) => p.locator("#state").textContent()))),
    1000,
  );
  await expect
    .poll(async () => (await Promise.all(pages.map((p) => p.locator("main").getAttribute("data-phase")))).join(), {
      timeout: 20000,
    })
    .toMatch(/^(ended|failed),(ended|failed)$/);
  clearInterval(t);
  console.log(await pages[0].locator("main").innerText());
  await pages[0].screenshot({ path: "/tmp/seat-1.png", fullPage: true });
  console.log(await done, hash(), simulated(runs));
}, 40000);
