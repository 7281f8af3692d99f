/** What work will cost, told before it begins: more for more work, nothing where it is short. */

import { createTopology, expandSpec } from "equitopo";
import { describe, expect, it, vi } from "vitest";
import { sayTime, showDuration } from "../src/duration.ts";
import { foreseenGossip, foreseenRates } from "../src/foresee.ts";
import { tellMemory } from "../src/memory.ts";
import { foreseenRuns } from "../src/run/foresee-runs.ts";
import { sayCost } from "../src/run/say-cost.ts";

/** What is written to stderr meanwhile. */
function told(work: () => void): string {
  let text = "";
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    work();
  } finally {
    spy.mockRestore();
  }
  return text;
}

describe("what is said", () => {
  it("names a time beyond a few seconds on a terminal, and memory beyond a gigabyte anywhere", () => {
    const unasked = () => expect.fail("foreseen, though nobody is told");
    expect(told(() => sayTime(() => 40, {}, true))).toBe("this takes about 40 s\n");
    expect(told(() => sayTime(() => 4, {}, true)) + told(() => sayTime(unasked, {}, false))).toBe("");
    expect(told(() => sayTime(unasked, { quiet: true }, true))).toBe("");
    expect(told(() => tellMemory(2.5e9, {}))).toMatch(/^this takes about 2\.50 GB of memory/);
    expect(told(() => tellMemory(1e15, {}))).toMatch(/, and this machine has .*B\n$/);
    expect(told(() => tellMemory(9e8, {}))).toBe("");
  });

  it("rounds times as people do", () => {
    expect([3.2, 99, 130, 5000, 7300, 1e6].map(showDuration)).toEqual([
      "4 s",
      "99 s",
      "2 min",
      "83 min",
      "2 h",
      "12 days",
    ]);
  });
});

describe("what is foreseen", () => {
  it("of gossip grows with rounds and numbers, and is nothing where it is short", () => {
    const graph = createTopology({ name: "od-equidyn", n: 2000 });
    expect(foreseenGossip(graph, { d: 10, rounds: 100 })).toBe(0);
    const hour = foreseenGossip(graph, { d: 100, rounds: 1_000_000 });
    expect(hour).toBeGreaterThan(10 * foreseenGossip(graph, { d: 100, rounds: 1000 }));
    // A thousand numbers a node are drawn and mixed in far less than a second a round.
    expect(hour).toBeLessThan(1e6);
  });

  it("of rates is that of those without a closed form", () => {
    const rates = (name: string, n: number) => foreseenRates([createTopology({ name, n })]);
    expect([rates("ring", 1e6), rates("od-equidyn", 1e6), rates("grid", 4000)]).toEqual([0, 0, 0]);
    expect(rates("grid", 10_000)).toBeGreaterThan(0);
  });

  it("of runs is their gradients, and the data and rows of all nodes", () => {
    const runs = (rounds: number) =>
      expandSpec({
        topologies: [{ name: "od-equidyn", n: 100_000 }],
        algorithms: [{ name: "dsgd", learningRate: 0.01 }],
        problem: { name: "least-squares", d: 10, K: 50 },
        ...{ rounds, seeds: [0, 1] },
      });
    // What is held, as the machine would tell it: 6 kB more a node of the hundred that are tried, and in the first
    // try garbage is collected meanwhile.
    const tries = [700_000, 250_000, 250_000, 850_000];
    const { bytes } = foreseenRuns(runs(10), {}, () => tries.shift() ?? 850_000);
    expect(bytes / 1e5).toBe(6000 + 4 * 10 * 8);
    // As this machine tells it: rows of 10 numbers at least, and beside them no more than 50 x 10 of data and their squares.
    const here = foreseenRuns(runs(10), {}).bytes;
    expect(here / 1e5).toBeGreaterThanOrEqual(320);
    expect(here / 1e5).toBeLessThan(20_000);
    const { seconds } = foreseenRuns(runs(10_000), {});
    // 10^9 gradients of some tens of nanoseconds to some microseconds, twice.
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(1e6);
  });

  it("of runs whose models alone have no room is that, before anything is made", () => {
    const runs = expandSpec({
      ...{ topologies: [{ name: "ring", n: 1e6 }], algorithms: [{ name: "dsgd" }], rounds: 3, seeds: [1] },
      problem: { name: "least-squares", d: 1e6, K: 1 },
    });
    expect(() => sayCost(runs, {}, {})).toThrow(
      /must fit into this machine's .*; try a smaller d or n, or type: float32/,
    );
  });
});
