import { expect, it } from "vitest";
import { fitted, movedTo, parseBasis, withOneMore, without } from "../../src/spectrum/basis.ts";

it("reads indices however they are written, and nothing else", () => {
  expect(parseBasis("1, 5 12;-1", 16)).toEqual([1, 5, 12, 15]);
  expect(parseBasis("", 16)).toBeUndefined();
  expect(parseBasis("0,3", 16)).toBeUndefined();
  expect(parseBasis("3,16", 16)).toBeUndefined();
});

it("moves, adds and leaves out, and stays a basis", () => {
  expect(movedTo([1, 5], 1, 99, 16)).toEqual([1, 15]);
  expect(movedTo([1, 5], 0, -3, 16)).toEqual([1, 5]);
  expect(withOneMore([1, 2, 4], 16)).toEqual([1, 2, 4, 3]);
  expect(withOneMore([1, 2], 3)).toEqual([1, 2]);
  expect(without([1, 5], 0)).toEqual([5]);
  expect(without([5], 0)).toEqual([5]);
  expect(fitted([1, 20, 30], 16).every((u) => u >= 1 && u < 16)).toBe(true);
});
