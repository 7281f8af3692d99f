/** Members come and go among real processes over TCP. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ElasticRun } from "./elastic-run.mjs";

const all = [0, 1, 2, 3, 4, 5, 6, 7];
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let elastic: ElasticRun | undefined;
afterEach(() => elastic?.end());

describe("elastic processes over TCP", () => {
  it("one joins, one leaves, a third is killed at once; gradient tracking goes to the minimum of those that are in", async () => {
    elastic = await ElasticRun.open({ n: 8, seats: 9, timeout: 2000, silence: 8000 });
    for (const seat of all) elastic.start(seat);
    await elastic.until(all, 60_000);
    elastic.start(8);
    await elastic.until([...all, 8]);
    elastic.leave(1);
    await elastic.until([0, 2, 3, 4, 5, 6, 7, 8]);
    for (const seat of [2, 5, 7]) elastic.kill(seat);
    const left = [0, 3, 4, 6, 8];
    const { epoch } = await elastic.until(left);
    expect(epoch.first).toBeGreaterThan(0);
    expect(elastic.summaries.get(1)).toMatchObject({ left: true });
    let worst = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 100 && worst > 1e-6; tries++) {
      await pause(200);
      const reports = await Promise.all(left.map((seat) => (elastic as ElasticRun).report(seat)));
      worst = Math.max(...reports.map(({ x }) => (elastic as ElasticRun).gradientAt(x, left)));
    }
    expect(worst).toBeLessThan(1e-6);
  }, 120_000);

  it("of two parts that cannot see each other the larger goes on with a new epoch; of two halves neither does", async () => {
    elastic = await ElasticRun.open({ n: 8, seats: 8, timeout: 1000, silence: 4000, wires: true });
    for (const seat of all) elastic.start(seat);
    await elastic.until(all, 60_000);
    elastic.wires?.cut((from, to) => from < 3 === to < 3);
    await elastic.until([3, 4, 5, 6, 7]);
    expect([0, 1, 2].map((seat) => elastic?.epochs.get(seat)?.epoch.number)).toEqual([0, 0, 0]);
    elastic.wires?.cut(() => true);
    const { epoch } = await elastic.until(all);
    elastic.wires?.cut((from, to) => from < 4 === to < 4);
    await pause(7000);
    elastic.wires?.cut(() => true);
    const before = await Promise.all(all.map((seat) => (elastic as ElasticRun).report(seat)));
    for (const seat of all) expect(elastic.epochs.get(seat)?.epoch).toEqual(epoch);
    for (let tries = 0, behind = 8; behind > 0; tries++) {
      expect(tries, "behind after the halves met again").toBeLessThan(500);
      await pause(100);
      const after = await Promise.all(all.map((seat) => (elastic as ElasticRun).report(seat)));
      behind = all.filter((seat) => after[seat].updates < before[seat].updates + 5).length;
    }
    for (const seat of all) expect(elastic.epochs.get(seat)?.epoch.number).toBe(epoch.number);
  }, 120_000);

  it("one that stood still is taken out and comes back; one that is started again with its votes is still in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "equitopo-elastic-"));
    try {
      elastic = await ElasticRun.open({ n: 4, seats: 4, timeout: 1000, silence: 3000, folder });
      const four = [0, 1, 2, 3];
      for (const seat of four) elastic.start(seat);
      await elastic.until(four, 60_000);
      elastic.stop(3);
      await elastic.until([0, 1, 2]);
      elastic.stop(3, "SIGCONT");
      const { epoch } = await elastic.until(four);
      elastic.kill(1);
      elastic.start(1);
      const again = await elastic.until(four);
      // Quick enough it is still in; otherwise it was taken out, and is the same one still.
      expect(again.epoch.members[1].incarnation).toBe(epoch.members[1].incarnation);
    } finally {
      elastic?.end();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  it("one is let in beside hung seats, and one whose clock went back is in again soon; the others keep at least half their speed", async () => {
    elastic = await ElasticRun.open({ n: 9, seats: 10, timeout: 10_000, silence: 10_000 });
    const nine = [...all, 8];
    for (const seat of nine) elastic.start(seat);
    await elastic.until(nine, 60_000);
    const [hung, left] = [nine.slice(0, 3), nine.slice(3)];
    for (const seat of hung) elastic.stop(seat);
    await elastic.until(left, 60_000);
    const before = await speed(left);
    elastic.start(9);
    const joined = elastic.until([...left, 9], 60_000);
    const during = await speed(left);
    expect((await joined).seconds).toBeLessThan(20);
    expect(during).toBeGreaterThan(before / 4);
    elastic.kill(8);
    elastic.start(8, 3_600_000);
    const back = elastic.until([...left, 9], 60_000);
    expect(await speed(left.slice(0, -1))).toBeGreaterThan(before / 8);
    // It was 43 s.
    expect((await back).seconds).toBeLessThan(25);
  }, 200_000);
});

/** Iterations a second of the slowest, over three seconds. */
async function speed(seats: readonly number[]): Promise<number> {
  const updates = () => Promise.all(seats.map(async (seat) => (await (elastic as ElasticRun).report(seat)).updates));
  const [begun, before] = [performance.now(), await updates()];
  await pause(3000);
  const after = await updates();
  return (1000 * Math.min(...after.map((one, k) => one - before[k]))) / (performance.now() - begun);
}
