import { expect, test } from "vitest";
import { holds, turnLink, turnNode } from "../../src/rounds/faults.ts";

test("a node goes down at the round shown, and comes up again where it is turned once more", () => {
  const down = turnNode([], 7, 3);
  expect(down).toEqual([{ node: 7, from: 3 }]);
  expect(holds(down[0], 2)).toBe(false);
  expect(turnNode(down, 7, 10)).toEqual([{ node: 7, from: 3, until: 10 }]);
  // At the very round it went down in: as if nothing had been.
  expect(turnNode(down, 7, 3)).toEqual([]);
  // Before it goes down later: down from here on, once.
  expect(turnNode(down, 7, 1)).toEqual([{ node: 7, from: 1 }]);
  expect(turnNode(down, 8, 1)).toEqual([...down, { node: 8, from: 1 }]);
});

test("a link is cut and mended, whichever end is named first", () => {
  const cut = turnLink([], [4, 5], 2);
  expect(turnLink(cut, [5, 4], 6)).toEqual([{ pair: [4, 5], from: 2, until: 6 }]);
  expect(turnLink(cut, [4, 6], 6)).toHaveLength(2);
});
