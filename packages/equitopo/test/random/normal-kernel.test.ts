import fc from "fast-check";
import { expect, test } from "vitest";
import { fillNormalReference, normalKernel } from "../../src/random/normal.ts";

test("the kernel's normals are the reference's, bit for bit, at any offset and across its chunks", () => {
  const large = Number.MAX_SAFE_INTEGER;
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1000, max: 2100 })),
      fc.integer({ min: 0, max: large }),
      fc.integer({ min: 0, max: 0xffffffff }),
      fc.integer({ min: 0, max: large }),
      fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 2 ** 33 })),
      (count, seed, stream, round, offset) => {
        const found = new Float64Array(count);
        expect(normalKernel(found, seed, stream, round, offset)).toBe(true);
        expect(found).toEqual(fillNormalReference(new Float64Array(count), seed, stream, round, offset));
      },
    ),
  );
});
