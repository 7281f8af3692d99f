/** What work takes, told before it begins: time beyond a few seconds, memory beyond a gigabyte, and no more than there is. */

import { expandSpec } from "equitopo";
import { describe, expect, it, vi } from "vitest";
import { sayRunCost } from "../../src/run/cost.ts";
import { sayCost } from "../../src/terminal/cost.ts";
import { showDuration } from "../../src/terminal/progress.ts";

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
  it("names a time beyond a few seconds, and memory beyond a gigabyte", () => {
    expect(told(() => sayCost({ seconds: 40, bytes: 1e8 }, {}))).toBe("this takes about 40 s; Ctrl-C stops it\n");
    expect(told(() => sayCost({ bytes: 2.5e9 }, {}))).toBe("this takes about 2.50 GB of memory; Ctrl-C stops it\n");
    expect(told(() => sayCost({ seconds: 400, bytes: 2.5e9 }, {}))).toContain("about 7 min and 2.50 GB of memory;");
    expect(told(() => sayCost({ seconds: 2, bytes: 9e8 }, {}))).toBe("");
    expect(told(() => sayCost({ seconds: 40, bytes: 2.5e9 }, { quiet: true }))).toBe("");
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

  it("refuses runs whose models alone have no room, before anything is made", () => {
    const runs = expandSpec({
      ...{ topologies: [{ name: "ring", n: 1e6 }], algorithms: [{ name: "dsgd" }], rounds: 3, seeds: [1] },
      problem: { name: "least-squares", d: 1e6, K: 1 },
    });
    expect(() => sayRunCost(runs, {})).toThrow(
      /must fit into this machine's .*; try a smaller d or n, or type: float32/,
    );
  });
});
