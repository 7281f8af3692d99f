/** Faults one by one, out of what a transport counts, at a bounded rate. */

import { describe, expect, it } from "vitest";
import { newCounts } from "../../../src/peer/exchange/transport.ts";
import { FaultWatch } from "../../../src/peer/report/fault.ts";

describe("faults", () => {
  it("are what was counted since the last iteration", () => {
    const counts = newCounts();
    const watch = new FaultWatch(counts);
    expect(watch.since({ run: 0, iteration: 0, missing: [], lost: [] }, 0)).toEqual([]);
    counts.missed += 2;
    counts.voided++;
    counts.reconnects++;
    counts.refused.set("spec", 3);
    expect(watch.since({ run: 0, iteration: 1, missing: [4], lost: [] }, 0)).toEqual([
      { what: "missed", run: 0, iteration: 1, count: 1, partners: [4] },
      { what: "voided", run: 0, iteration: 1, count: 1 },
      { what: "reconnect", run: 0, iteration: 1, count: 1 },
      { what: "refused", run: 0, iteration: 1, count: 3, reason: "spec" },
    ]);
    counts.refused.set("spec", 4);
    expect(watch.since({ run: 0, iteration: 5, missing: [], lost: [] }, 0)).toEqual([
      { what: "refused", run: 0, iteration: 5, count: 1, reason: "spec" },
      { what: "skipped", run: 0, iteration: 5, count: 3 },
    ]);
    // Another run begins at its beginning: nothing was skipped.
    expect(watch.since({ run: 1, iteration: 2, missing: [], lost: [] }, 0)).toEqual([]);
    expect(watch.trouble("the disk is full", 0)).toEqual([
      { what: "trouble", run: 1, iteration: 2, count: 1, reason: "the disk is full" },
    ]);
  });

  it("are none where messages were lost on purpose", () => {
    const counts = newCounts();
    const watch = new FaultWatch(counts);
    counts.missed += 2;
    counts.voided += 1;
    expect(watch.since({ run: 0, iteration: 0, missing: [4], lost: [4] }, 0)).toEqual([]);
    counts.missed += 3;
    counts.voided += 2;
    expect(watch.since({ run: 0, iteration: 1, missing: [4, 5], lost: [4] }, 0)).toEqual([
      { what: "missed", run: 0, iteration: 1, count: 1, partners: [5] },
      { what: "voided", run: 0, iteration: 1, count: 1 },
    ]);
  });

  it("that come too fast are counted, and told of later in one", () => {
    const counts = newCounts();
    const watch = new FaultWatch(counts);
    let told = 0;
    for (let iteration = 0; iteration < 1000; iteration++) {
      counts.missed++;
      told += watch.since({ run: 0, iteration, missing: [1], lost: [] }, 0).length;
    }
    expect(told).toBe(100);
    counts.missed++;
    expect(watch.since({ run: 0, iteration: 1000, missing: [1], lost: [] }, 1000)).toEqual([
      { what: "untold", run: 0, iteration: 1000, count: 900 },
      { what: "missed", run: 0, iteration: 1000, count: 1, partners: [1] },
    ]);
  });
});
