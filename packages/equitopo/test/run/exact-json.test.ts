import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromExactJson, toExactJson } from "../../src/run/index.ts";

const value = fc.letrec((tie) => ({
  tree: fc.oneof(
    fc.double(),
    fc.string({ unit: "binary" }),
    fc.boolean(),
    fc.constantFrom(null, -0, Number.NaN, Number.NEGATIVE_INFINITY),
    fc.float64Array({ maxLength: 5 }),
    fc.float32Array({ maxLength: 5 }),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((name) => name !== "$" && name !== "__proto__"),
      tie("tree"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).tree;

describe("JSON with every number", () => {
  test("reads back exactly: every double, string, float array and nesting of them", () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(fromExactJson(JSON.parse(JSON.stringify(toExactJson(one, "it"))))).toStrictEqual(one);
      }),
    );
  });

  test("is refused where it would not read back", () => {
    for (const one of [undefined, 1n, () => 1, new Map(), [undefined], { a: new Date(0) }, { $: 1 }]) {
      expect(() => toExactJson(one, "result")).toThrow(/result.* must be made of/);
    }
  });
});
