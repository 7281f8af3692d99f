/** When peers save: alike, whatever their clocks say, and neither too often nor too seldom. */

import { expect, it } from "vitest";
import { usualLag } from "../../../src/peer/exchange/claims.ts";
import { savePoints } from "../../../src/run/course/save-points.ts";

/** The updates and seconds at which a peer saves whose updates take so many milliseconds each. */
function saves(n: number, milliseconds: (updates: number) => number, rounds: number): [number, number][] {
  let time = 0;
  const due = savePoints({ least: usualLag(n), now: () => time });
  const found: [number, number][] = [];
  for (let updates = 1; updates <= rounds; updates++) {
    time += milliseconds(updates);
    if (due(updates)) found.push([updates, time / 1000]);
  }
  return found;
}

it("every so many updates where that is said", () => {
  const due = savePoints({ every: 5, least: 32, now: () => 0 });
  expect([1, 5, 9, 10].map(due)).toEqual([false, true, false, true]);
});

it("about every ten seconds, at multiples of a power of two", () => {
  const found = saves(17, () => 1, 100_000);
  expect(found.slice(0, 5).map(([updates]) => updates)).toEqual([64, 128, 256, 512, 1024]);
  const late = found.filter(([, seconds]) => seconds > 20);
  expect(late.length).toBeGreaterThan(5);
  for (const [updates] of late) expect(updates % 8192).toBe(0);
});

it("no closer than peers may be apart, and closer again once updates have become slow", () => {
  expect(saves(40, () => 1000, 400).map(([updates]) => updates)).toEqual([128, 256, 384]);
  const slowed = saves(3, (updates) => (updates <= 65_536 ? 1 : 100), 75_000).map(([updates]) => updates);
  expect(slowed.slice(-3).map((updates, k, all) => updates - all[Math.max(0, k - 1)])).toEqual([0, 128, 128]);
});

it("peers whose clocks disagree by a little share one of their last two at any moment", () => {
  const peers = [0.9, 0.97, 1, 1.04].map((pace) => saves(4, () => pace, 60_000).map(([updates]) => updates));
  for (let updates = 64; updates <= 60_000; updates += 7) {
    const last = peers.map((list) => list.filter((one) => one <= updates).slice(-2));
    expect(last[0].some((one) => last.every((list) => list.includes(one)))).toBe(true);
  }
});
