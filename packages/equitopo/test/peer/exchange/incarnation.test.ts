import { describe, expect, it } from "vitest";
import { Incarnations, newIncarnation, settling } from "../../../src/peer/exchange/incarnation.ts";

describe("incarnations", () => {
  it("are larger for a later start, and fit into the 53 bits of a hello", () => {
    expect(newIncarnation(1_000_000, 1023)).toBeLessThan(newIncarnation(1_000_001, 0));
    expect(newIncarnation(Date.UTC(2240, 0), 1023)).toBeLessThan(2 ** 53);
  });

  it("of others: the newest that has shown itself is kept, older ones are stale", () => {
    const us = new Incarnations(50, 3);
    expect(us.meet(2, 100)).toBe("first");
    expect(us.meet(2, 100)).toBe("same");
    expect(us.meet(2, 101)).toBe("newer");
    expect(us.meet(2, 100)).toBe("stale");
    expect([us.known(1), us.known(2)]).toEqual([0, 101]);
  });

  it("fence off the older of two, once it has taken part", () => {
    const us = new Incarnations(50, 3);
    us.settle(1000);
    us.settle(900_000);
    expect(us.heard(50, 1000 + settling)).toBe("ours");
    expect(us.heard(51, 1000 + settling)).toBe("fenced");
  });

  it("are raised where the clock has gone back since the last start", () => {
    const us = new Incarnations(50, 3);
    expect(us.heard(80, 5)).toBe("raised");
    expect(us.own).toBe(81);
    us.settle(10);
    // Of two that overbid each other the one that began last stays.
    expect(us.heard(90, 9 + settling)).toBe("raised");
    expect(us.heard(92, 10 + settling)).toBe("fenced");
  });
});
