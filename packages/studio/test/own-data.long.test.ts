/** Data that a person picks in the page and that never leaves it: arrays in one tab, pictures in folders in another. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encodeNpy } from "@equitopo/nn";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSpec } from "../../equitopo/src/run/spec.ts";
import { launchChromium } from "../../equitopo/test/chromium.ts";
import { networked, serve, shownBy, tab, until } from "./seats.ts";

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "equitopo-own-"));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  if (!networked) console.warn("SKIPPED: own data in two tabs. WebRTC needs a network interface beside loopback.");
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Left half bright or right half bright, 4 x 4, a little different each time. */
const pixel = (label: number, k: number, x: number) => (x < 2 === (label === 0) ? 200 + (k % 50) : k % 50);
const side = 4;

function writeArrays(name: string, count: number): void {
  const labels = Int32Array.from({ length: count }, (_, k) => k % 2);
  const values = Uint8Array.from({ length: count * side * side }, (_, at) => {
    const k = Math.floor(at / (side * side));
    return pixel(labels[k], k, at % side);
  });
  writeFileSync(path(`${name}-x.npy`), encodeNpy({ shape: [count, side, side, 1], values }));
  // Packed, to be unpacked in the page.
  writeFileSync(path(`${name}-y.npy.gz`), gzipSync(encodeNpy({ shape: [count], values: labels })));
}

/** PNG files as a browser makes them, larger than what the network takes. */
async function writePictures(tab: Page, count: number): Promise<void> {
  for (const [label, name] of ["left", "right"].entries()) {
    mkdirSync(path(join("pictures", name)), { recursive: true });
    for (let k = 0; k < count / 2; k++) {
      const levels = Array.from({ length: side }, (_, x) => pixel(label, k, x));
      const url = await tab.evaluate((levels) => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 32;
        const context = canvas.getContext("2d") as CanvasRenderingContext2D;
        levels.forEach((level, x) => {
          context.fillStyle = `rgb(${level} ${level} ${level})`;
          context.fillRect(8 * x, 0, 8, 32);
        });
        return canvas.toDataURL("image/png");
      }, levels);
      writeFileSync(path(join("pictures", name, `${k}.png`)), Buffer.from(url.split(",")[1], "base64"));
    }
  }
  writeFileSync(path(join("pictures", "notes.txt")), "not a picture");
}

const spec = parseSpec({
  topologies: [{ name: "complete", n: 2 }],
  algorithms: [{ name: "dsgd", learningRate: 0.5 }],
  problem: {
    name: "classification",
    data: {
      ...{ name: "own", file: "x-%r.npy", labels: "y-%r.npy", test: "test-x.npy", testLabels: "test-y.npy" },
      ...{ classes: 2, shape: [side, side, 1], stepsPerEpoch: 4 },
    },
    ...{ model: "softmax-regression", batch: 5 },
  },
  ...{ rounds: 12, every: 12, evaluate: 12 },
});

describe.skipIf(!networked)("own data", () => {
  test("arrays here, pictures there: both train, and the room has heard of neither", async () => {
    const { link, result, end } = await serve(spec);
    try {
      writeArrays("mine", 20);
      writeArrays("test", 10);
      const [arrays, pictures] = [await tab(browser, link), await tab(browser, link)];
      await until(arrays, "files");
      await arrays.setInputFiles("#examples", path("mine-y.npy.gz"));
      await arrays.setInputFiles("#labels", path("mine-y.npy.gz"));
      await arrays.setInputFiles("#examples", path("mine-x.npy"));
      await arrays.setInputFiles("#test-examples", path("test-x.npy"));
      await arrays.getByText("Still to choose: test labels.").waitFor();
      expect(await arrays.isDisabled("text=Train with it")).toBe(true);
      await arrays.setInputFiles("#test-labels", path("test-y.npy.gz"));
      await arrays.click("text=Train with it");
      await writePictures(pictures, 10);
      await until(pictures, "files");
      await pictures.setInputFiles("#pictures", path(join("pictures", "left")));
      expect(await pictures.textContent(".trouble")).toMatch(/all 2 classes/);
      await pictures.setInputFiles("#pictures", path("pictures"));
      await pictures.setInputFiles("#test-examples", path("test-x.npy"));
      await pictures.setInputFiles("#test-labels", path("test-y.npy.gz"));
      await pictures.click("text=Train with it");
      const shown = await Promise.all([arrays, pictures].map(shownBy));
      expect(shown.map(({ accuracy }) => accuracy)).toEqual([100, 100]);
      expect((await result()).runs[0].metrics).toMatchObject({ averagedAccuracy: 1, meanAccuracy: 1 });
    } finally {
      await end();
    }
  });
});
