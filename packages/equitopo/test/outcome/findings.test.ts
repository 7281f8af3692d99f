import { describe, expect, it } from "vitest";
import { checksFinding, findingsOf, listed } from "../../src/internal/outcome.ts";
import { byLabel, type Wanted } from "./results.ts";

/** A run that falls from 1 to `end`. */
const to = (label: string, end: number, seed: number, more: Partial<Wanted> = {}): Wanted => ({
  ...{ label, seed, metrics: { relativeError: [1, (1 + end) / 2, end] }, ...more },
});

describe("findings", () => {
  it("name the best and how far ahead it is, where it is so with every seed", () => {
    const runs = byLabel(to("A", 0.1, 0), to("A", 0.3, 1), to("B", 0.2, 0), to("B", 0.6, 1), to("C", 0.9, 0));
    expect(findingsOf(runs)).toEqual([
      "A ends lowest: relative error 0.2, 2 times below B (means of 1 to 2 seeds, and so with each that two share).",
    ]);
    const two = byLabel(to("A", 0.1, 0), to("A", 0.3, 1), to("B", 0.2, 0), to("B", 0.6, 1));
    expect(findingsOf(two)[0]).toMatch(/2 times below B \(mean of 2 seeds, and so with each of them\)\.$/);
  });

  it("do not call a winner what differs less than seeds do", () => {
    const [one] = findingsOf(
      byLabel(
        ...[to("A", 0.1, 0), to("A", 0.3, 1), to("B", 0.2, 0), to("B", 0.25, 1)],
        ...[to("C", 0.9, 0), to("C", 0.7, 1)],
      ),
    );
    expect(one).toBe(
      "A and B end lowest: relative error 0.2 to 0.225; the next, C, at 0.8 (mean of 2 seeds), no difference beyond the spread of seeds.",
    );
    const [all] = findingsOf(byLabel(to("A", 0.1, 0), to("A", 0.3, 1), to("B", 0.2, 0), to("B", 0.25, 1)));
    expect(all).toMatch(/^No run is ahead of all others: relative error 0.2 to 0.225/);
  });

  it("say that the best end with the same number, whether others come after them or not", () => {
    const [first] = findingsOf(byLabel(to("A", 0.2, 0), to("B", 0.2, 0), to("C", 0.9, 0)));
    expect(first).toBe("A and B end lowest with the same number: relative error 0.2; the next, C, at 0.9 (one seed).");
    const twice = ["A", "B"].flatMap((label) => [to(label, 0.2, 0), to(label, 0.4, 1)]);
    // Their seeds scatter, but alike: there is no difference that a spread could hide.
    expect(findingsOf(byLabel(...twice))).toEqual([
      "A and B end with the same number: relative error 0.3 (mean of 2 seeds).",
    ]);
  });

  it("do not put beside the best who has somebody between that is beaten with every seed", () => {
    const runs = byLabel(
      ...[to("A", 0.1, 0), to("A", 0.3, 1), to("B", 0.2, 0), to("B", 0.4, 1)],
      ...[to("scattered", 0.9, 0), to("scattered", 0.2, 1)],
    );
    expect(findingsOf(runs)[0]).toBe(
      "A ends lowest: relative error 0.2, 1.5 times below B (mean of 2 seeds, and so with each of them); " +
        "behind, though not with every seed: scattered.",
    );
  });

  it("say where one seed is all there is, and where a run stands alone", () => {
    expect(findingsOf(byLabel(to("A", 0.1, 0), to("B", 0.2, 0)))[0]).toMatch(
      /one seed, which does not rule out chance/,
    );
    expect(findingsOf(byLabel(to("A", 0.1, 0)))).toEqual(["A ends at relative error 0.1 (one seed)."]);
  });

  it("begin with runs that diverged, and leave them out of the ranking", () => {
    const wild = to("wild", 0, 0, { metrics: { relativeError: [1, 5, Number.POSITIVE_INFINITY] } });
    expect(findingsOf(byLabel(wild, to("wild", 0.01, 1), to("B", 0.2, 0)))).toEqual([
      "wild diverged with 1 of 2 seeds: beyond all numbers by update 2.",
      "B ends at relative error 0.2 (one seed).",
    ]);
  });

  it("say of an error that ended far above its start that it did, and rank it nowhere", () => {
    expect(findingsOf(byLabel(to("wild", 1e5, 0), to("B", 0.2, 0)))).toEqual([
      "wild diverged: relative error above ten times its start by update 1.",
      "B ends at relative error 0.2 (one seed).",
    ]);
  });

  it("say who is best for the bytes of the cheapest, where that is another", () => {
    const dear = { ...to("dear", 0.01, 0), bytesPerUpdate: 1000 };
    const [, second] = findingsOf(byLabel(dear, to("cheap", 0.2, 0)));
    // 160 bytes buy the dear one no update at all.
    expect(second).toBeUndefined();
    const middling = { ...to("dear", 0.01, 0), bytesPerUpdate: 160 };
    expect(findingsOf(byLabel(middling, to("cheap", 0.2, 0)))[1]).toBe(
      "For 160 B sent by a node, which is what the cheapest run sends in all, cheap is best: relative error 0.2.",
    );
    const alike = byLabel(middling, to("cheap", 0.2, 0), to("as cheap", 0.2, 0));
    expect(findingsOf(alike)[1]).toContain("cheap and as cheap are best: relative error 0.2.");
  });

  it("go by the accuracy of the averaged model where it was tried: the more the better", () => {
    const [one] = findingsOf(
      byLabel(to("A", 0.1, 0, { accuracy: [0.1, 0.5, 0.9] }), to("B", 0.01, 0, { accuracy: [0, 0, 0.8] })),
    );
    expect(one).toMatch(/^A ends highest: averaged accuracy 0.9, 10 points above B/);
  });

  it("name what failed", () => {
    const check = (name: string, pass: boolean) => ({ name, expected: "1", measured: "2", pass });
    expect(checksFinding([])).toEqual([]);
    expect(checksFinding([check("a", true), check("b", true)])).toEqual(["All 2 checks passed."]);
    const failed = checksFinding([check("a", true), check("b", false)]);
    expect(failed).toEqual(["1 of 2 checks FAILED: b (measured: 2)."]);
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
  });
});
