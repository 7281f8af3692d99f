/** A checkpoint's bytes: whole or refused. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/number/hash.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../src/run/checkpoint.ts";

const content = {
  kind: "run",
  header: { updates: 170, label: "ü", list: [1, null] },
  vectors: { x: Float64Array.of(1, -0, Number.NaN, 5e-324), m: Float32Array.of(0.1, 2), none: new Float64Array(0) },
};
const bytes = encodeCheckpoint(content);

/** The bytes with another version, and a digest that fits. */
function ofVersion(version: number): Uint8Array {
  const copy = bytes.slice();
  copy[7] = 0x30 + version;
  const text = sha256(copy.subarray(0, -32));
  copy.set(
    Uint8Array.from({ length: 32 }, (_, k) => Number.parseInt(text.slice(2 * k, 2 * k + 2), 16)),
    copy.length - 32,
  );
  return copy;
}

describe("a checkpoint's bytes", () => {
  it("come back bit by bit, also from within other bytes", () => {
    const around = new Uint8Array(bytes.length + 3);
    around.set(bytes, 3);
    for (const text of [bytes, around.subarray(3)]) expect(decodeCheckpoint(text, "run")).toEqual(content);
  });

  it("are refused when any of them is changed or missing", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, cut) => {
        const copy = cut ? bytes.slice(0, at) : bytes.slice();
        if (!cut) copy[at] ^= change;
        expect(() => decodeCheckpoint(copy)).toThrow(/an undamaged checkpoint/);
      }),
    );
  });

  it("of another kind or version are refused by name", () => {
    expect(() => decodeCheckpoint(bytes, "peer", "x.ckpt")).toThrow(
      /x\.ckpt must be a checkpoint of a peer, not of a run/,
    );
    expect(() => decodeCheckpoint(ofVersion(1))).toThrow(/of version 2, not of the older 1/);
    expect(() => decodeCheckpoint(ofVersion(3))).toThrow(/of version 2, not of the newer 3/);
  });
});
