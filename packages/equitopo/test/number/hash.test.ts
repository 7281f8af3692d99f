import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stateHash } from "../../src/index.ts";
import { sha256 } from "../../src/number/index.ts";

describe("SHA-256", () => {
  // NIST, FIPS 180-4 examples and the long message of the Secure Hash Standard's validation list.
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    ["a".repeat(1e6), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("published vector %#", (text, digest) => {
    expect(sha256(new TextEncoder().encode(text))).toBe(digest);
  });

  test("agrees with Node's on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
    );
  });

  test("a state is its little-endian bytes, wherever it lies in its buffer", () => {
    const x = Float64Array.of(7, 1, -2).subarray(1);
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(1, 0);
    bytes.writeDoubleLE(-2, 8);
    expect(stateHash(x)).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});
