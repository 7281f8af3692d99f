/** Faults one by one, out of what a transport counts, at a bounded rate. */

import { describe, expect, it } from "vitest";
import { newCounts } from "../../../src/peer/exchange/transport.ts";
import { FaultWatch } from "../../../src/peer/report/fault.ts";
import { presenceOf } from "../../../src/peer/report/presence.ts";

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
    counts.refusals.set("spec", { source: "peer 3 at 10.0.0.7", remedy: "give all peers the same" });
    expect(watch.since({ run: 0, iteration: 5, missing: [], lost: [] }, 20_000)).toEqual([
      {
        ...{ what: "refused", run: 0, iteration: 5, count: 1, reason: "spec" },
        ...{ source: "peer 3 at 10.0.0.7", remedy: "give all peers the same" },
      },
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

  it("of one kind are reported at once, then added up and reported ever more rarely, until there are none", () => {
    const counts = newCounts();
    const watch = new FaultWatch(counts);
    const reports: number[][] = [];
    const second = (iteration: number, missing: readonly number[]) => {
      counts.missed += missing.length;
      for (const { what, count } of watch.since({ run: 0, iteration, missing, lost: [] }, 1000 * iteration)) {
        expect(what).toBe("missed");
        reports.push([iteration, count]);
      }
    };
    for (let iteration = 0; iteration < 200; iteration++) second(iteration, [1 + (iteration % 2)]);
    expect(reports).toEqual([
      [0, 1],
      [10, 10],
      [30, 20],
      [70, 40],
      [150, 80],
    ]);
    // After a long quiet time the next one is reported at once, and those after it soon.
    const quiet = 2000;
    for (let iteration = 200; iteration < quiet; iteration++) second(iteration, []);
    expect(reports.splice(0).at(-1)).toEqual([310, 49]);
    for (let iteration = quiet; iteration < quiet + 15; iteration++) second(iteration, [1]);
    expect(reports).toEqual([
      [quiet, 1],
      [quiet + 10, 10],
    ]);
    expect(watch.rest()).toEqual([{ what: "missed", run: 0, iteration: quiet + 14, count: 4, partners: [1] }]);
  });
});

describe("a peer that is gone", () => {
  const known = (gone: boolean | undefined, starts = 0) => ({ gone, starts });

  it("is reported once, and once when it is back or was started again", () => {
    let now = known(false);
    const look = presenceOf(2, (peer) => (peer === 1 ? now : known(undefined)));
    expect(look([1], [])).toEqual([]);
    now = known(true);
    expect(look([1], [1])).toEqual([{ what: "gone", peer: 1 }]);
    for (let t = 0; t < 300; t++) expect(look([1], [1])).toEqual([]);
    now = known(false);
    expect(look([1], [])).toEqual([{ what: "back", peer: 1 }]);
    now = known(true, 1);
    expect(look([1], [1])).toEqual([{ what: "gone", peer: 1 }]);
    now = known(false, 1);
    expect(look([1], [])).toEqual([{ what: "rejoined", peer: 1 }]);
    // Started again before anybody missed it.
    now = known(false, 2);
    expect(look([1], [])).toEqual([{ what: "rejoined", peer: 1 }]);
    expect(look([1], [])).toEqual([]);
  });

  it("is one that was missed three times running where the transport knows nothing", () => {
    const look = presenceOf(3, () => known(undefined));
    const seen = [[2], [2], [], [2], [2], [2], [2], []].map((missing) => look([1, 2], missing));
    expect(seen.map((found) => found.map(({ what, peer }) => `${what} ${peer}`).join())).toEqual([
      ...["", "", "", "", "", "gone 2", "", "back 2"],
    ]);
  });
});
