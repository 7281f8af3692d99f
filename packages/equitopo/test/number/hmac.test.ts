import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hmacSha256, sameBytes } from "../../src/number/hmac.ts";

test("is Node's HMAC-SHA-256, for keys and messages of any length", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(bytes, bytes, bytes, (key, first, second) => {
      const known = createHmac("sha256", key).update(first).update(second).digest();
      expect(Buffer.from(hmacSha256(key, first, second)).equals(known)).toBe(true);
    }),
  );
});

test("bytes are compared whole", () => {
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  for (const other of [[1], [1, 3], [0, 2], [1, 2, 0]]) {
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.from(other))).toBe(false);
  }
});
