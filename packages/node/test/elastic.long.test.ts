/** Members come and go among real processes over TCP. */

import { afterEach, describe, expect, it } from "vitest";
import { ElasticRun } from "./elastic-run.mjs";

let elastic: ElasticRun | undefined;
afterEach(() => elastic?.end());

describe("eight elastic processes over TCP", () => {
  it("one joins, one leaves, a third is killed at once; gradient tracking goes to the minimum of those that are in", async () => {
    elastic = await ElasticRun.open({ n: 8, seats: 9, timeout: 2000, silence: 8000 });
    for (let seat = 0; seat < 8; seat++) elastic.start(seat);
    await elastic.until([0, 1, 2, 3, 4, 5, 6, 7], 60_000);
    elastic.start(8);
    await elastic.until([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    elastic.leave(1);
    await elastic.until([0, 2, 3, 4, 5, 6, 7, 8]);
    for (const seat of [2, 5, 7]) elastic.kill(seat);
    const left = [0, 3, 4, 6, 8];
    const { epoch } = await elastic.until(left);
    expect(epoch.first).toBeGreaterThan(0);
    expect(elastic.summaries.get(1)).toMatchObject({ left: true });
    let worst = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 100 && worst > 1e-6; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const reports = await Promise.all(left.map((seat) => (elastic as ElasticRun).report(seat)));
      worst = Math.max(...reports.map(({ x }) => (elastic as ElasticRun).gradientAt(x, left)));
    }
    expect(worst).toBeLessThan(1e-6);
  }, 120_000);
});
