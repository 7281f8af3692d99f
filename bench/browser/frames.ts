/**
 * Claim: the view of rounds is drawn at least 30 times a second at n = 10,000, one topology, without a graphics card.
 * Counted where the picture is painted, while it plays: slowly (8 rounds a second, in between messages are on their way)
 * and fast (60, so that every picture is another round). Beside it, in the same run, the frames of an empty page.
 */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import type { Report } from "../bench.ts";
import { processorSeconds } from "./chromium.ts";

type Home = typeof import("../../packages/equitopo/test/chromium-home.mjs");

/** Seconds that are counted, after as many that are not. */
const seconds = 3;

// From the compiled file.
const home = new URL("../../../packages/equitopo/test/chromium-home.mjs", import.meta.url);
const studio = new URL("../../../packages/studio/dist/index.html", import.meta.url);

export async function benchFrames(report: Report): Promise<void> {
  if (!existsSync(fileURLToPath(studio))) throw new Error("the studio's page must be built: npm run build");
  const { chromiumFlags, chromiumProgram } = (await import(home.href)) as Home;
  const { path, env } = chromiumProgram();
  const browser = await chromium.launch({ executablePath: path, args: [...chromiumFlags], env: env as never });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript(countFrames);
    await page.goto("about:blank");
    const empty = await counted(page);
    console.log(
      `the view of rounds, od-equidyn, 1280 x 900, software drawing; an empty page has ${show(empty.frames)} frames/s`,
    );
    console.log("                     frames/s   pictures/s   rounds/s   ms of CPU a picture");
    for (const n of [300, 2000, 10_000]) {
      for (const speed of [8, 60]) {
        // Another address alone would not load the page anew.
        await page.goto("about:blank");
        await page.goto(`${studio.href}#topology=od-equidyn&n=${n}&rounds=5000&speed=${speed}`);
        await page.waitForFunction(() => Number(document.querySelector<HTMLElement>(".network")?.dataset["t"]) > 0);
        const { frames, pictures, rounds, processor } = await counted(page);
        const cost = processor === undefined ? "unknown" : ((1000 * processor) / pictures).toFixed(1);
        const pace = speed === 60 ? "fast" : "slow";
        const name = `n = ${n}, ${pace}`;
        report.figure({
          ...{ name: `the studio's rounds at n = ${n}, drawn by software, ${pace}`, unit: "pictures/s", more: true },
          value: pictures,
          beside: { what: "an empty page", value: empty.frames },
        });
        console.log(
          name.padEnd(18) + [show(frames), show(pictures), show(rounds), cost].map((x) => x.padStart(11)).join(""),
        );
      }
    }
  } finally {
    await browser.close();
  }
}

const show = (value: number) => value.toFixed(1);

interface Counts {
  frames: number;
  pictures: number;
}

/** Runs in the page before anything else: a picture begins with a cleared canvas. */
function countFrames(): void {
  const counts: Counts = { frames: 0, pictures: 0 };
  Object.assign(globalThis, { counts });
  const turn = () => {
    counts.frames++;
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...words) {
    if (this.canvas.id === "network-0") counts.pictures++;
    clearRect.apply(this, words);
  };
}

/** Each a second, over the seconds that count. */
async function counted(page: Page) {
  const look = () =>
    page.evaluate(() => ({
      ...(globalThis as unknown as { counts: Counts }).counts,
      now: performance.now(),
      round: Number(document.querySelector<HTMLElement>(".network")?.dataset["t"] ?? 0),
    }));
  await page.waitForTimeout(1000 * seconds);
  const [before, worked] = [await look(), processorSeconds(process.pid)];
  await page.waitForTimeout(1000 * seconds);
  const [after, end] = [await look(), processorSeconds(process.pid)];
  const time = (after.now - before.now) / 1000;
  const rate = (name: "frames" | "pictures" | "round") => (after[name] - before[name]) / time;
  const processor = worked === undefined || end === undefined ? undefined : (end - worked) / time;
  return { frames: rate("frames"), pictures: rate("pictures"), rounds: rate("round"), processor };
}
