/** Units on worker threads: when they are told to stop, all of them save where they stand. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expandSpec } from "equitopo";
import type { LearningUnit, Unit } from "equitopo/outcome";
import { expect, it } from "vitest";
import { scratch } from "../command.ts";

// Threads load the built package.
const { runUnits }: typeof import("../../src/run/pool.ts") = await import(
  new URL("../../dist/run/pool.js", import.meta.url).href
);

it("an abort waits until the slowest unit has saved", async () => {
  const folder = scratch();
  const runs = [100, 10_000].flatMap((K) =>
    expandSpec({
      topologies: [{ name: "ou-equidyn", n: 17 }],
      algorithms: [{ name: "dsgt", learningRate: 1e-4 }],
      problem: { name: "least-squares", d: 50, K },
      rounds: 10_000_000,
      every: 10_000_000,
    }),
  );
  const units: LearningUnit[] = runs.map((run, k) => ({ kind: "learning", key: String(k), run }));
  const stop = new AbortController();
  const moving = new Set<Unit>();
  const done = runUnits(units, {
    workers: 2,
    signal: stop.signal,
    checkpointOf: ({ key }) => join(folder, key),
    onProgress(unit) {
      moving.add(unit);
      if (moving.size === units.length) stop.abort(new Error("enough"));
    },
    onResult: () => expect.fail("nothing is finished"),
  });
  await expect(done).rejects.toThrow("enough");
  expect(units.map(({ key }) => existsSync(join(folder, key)))).toEqual([true, true]);
});
