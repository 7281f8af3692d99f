import { expect, it } from "vitest";
import { fitted, parseBasis, withOneMore } from "../../src/spectrum/basis.ts";

it("reads indices however they are written, and nothing else", () => {
  expect(parseBasis("1, 5 12;-1", 16)).toEqual([1, 5, 12, 15]);
  expect(parseBasis("", 16)).toBeUndefined();
  expect(parseBasis("0,3", 16)).toBeUndefined();
  expect(parseBasis("3,16", 16)).toBeUndefined();
});

it("takes one more, fits another n, and stays a basis", () => {
  expect(withOneMore([1, 2, 4], 16)).toEqual([1, 2, 4, 3]);
  expect(withOneMore([1, 2], 3)).toEqual([1, 2]);
  expect(fitted([1, 20, 30], 16).every((u) => u >= 1 && u < 16)).toBe(true);
});
