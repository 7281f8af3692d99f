/** Compressors by name: choco takes a bare name with its own keep and bits, or a name with options, or your own. */

import { expect, test } from "vitest";
import { topK } from "../../src/algorithm/compressor.ts";
import { compressors, defineCompressor, settleCompressor } from "../../src/algorithm/compressors.ts";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { whole } from "../../src/input/option.ts";

const bytes = (options: object) => createAlgorithm({ name: "choco", ...options }).sends.compressed?.(100, 8);

test("a bare name takes choco's keep and bits; an object its own", () => {
  expect(bytes({ keep: 0.1 })).toBe(120);
  expect(bytes({ compressor: { name: "top-k", keep: 0.1 } })).toBe(120);
  expect(bytes({ compressor: "quantise", bits: 2 })).toBe(bytes({ compressor: { name: "quantise", bits: 2 } }));
  expect(settleCompressor("top-k", { keep: 0.5, bits: 3 }).consensusStep).toBe(0.4);
  expect(settleCompressor("quantise").consensusStep).toBe(0.2);
});

test("what it does not know is refused with its place", () => {
  expect(() => bytes({ compressor: "topk" })).toThrow(/choco's compressor: .*did you mean top-k\?/);
  expect(() => bytes({ compressor: { name: "top-k", keep: 2 } })).toThrow(/keep must lie in \(0, 1\], got 2/);
  expect(() => bytes({ compressor: { name: "quantise", keep: 0.5 } })).toThrow(/quantise takes the options bits/);
  expect(() => bytes({ compressor: null })).toThrow(/compressor must be one of/);
});

test("one of your own is taken by name", () => {
  compressors.add(
    defineCompressor({
      name: "largest",
      summary: "the k largest",
      options: { k: whole(1, 1) },
      create: (d, { k }) => topK(d, k),
      consensusStep: () => 0.1,
    }),
  );
  expect(bytes({ compressor: { name: "largest", k: 3 } })).toBe(36);
});
