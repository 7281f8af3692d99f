import { expect, test } from "vitest";
import { holds, turn } from "../../src/rounds/faults.ts";
import type { Cut, Kill } from "../../src/view/fields.ts";

test("a node goes down at the round shown, and comes up again where it is turned once more", () => {
  const down = turn<Kill>([], { node: 7, from: 3 });
  expect(down).toEqual([{ node: 7, from: 3 }]);
  expect(holds(down[0], 2)).toBe(false);
  expect(turn(down, { node: 7, from: 10 })).toEqual([{ node: 7, from: 3, until: 10 }]);
  // At the very round it went down in: as if nothing had been.
  expect(turn(down, { node: 7, from: 3 })).toEqual([]);
  // Before it goes down later: down from here on, once.
  expect(turn(down, { node: 7, from: 1 })).toEqual([{ node: 7, from: 1 }]);
  expect(turn(down, { node: 8, from: 1 })).toEqual([...down, { node: 8, from: 1 }]);
});

test("a link is cut and mended, whichever end is named first", () => {
  const cut = turn<Cut>([], { pair: [4, 5], from: 2 });
  expect(turn(cut, { pair: [5, 4], from: 6 })).toEqual([{ pair: [4, 5], from: 2, until: 6 }]);
  expect(turn(cut, { pair: [4, 6], from: 6 })).toHaveLength(2);
});
