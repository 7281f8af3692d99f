/** Bytes as text against Node's own. */

import { describe, expect, it } from "vitest";
import { fromBase64, fromBase64url, toBase64, toBase64url } from "../../src/number/base64.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, k) => (k * 167 + 31) % 256);

describe("base64", () => {
  it.each([0, 1, 2, 3, 255, 8191, 8192, 8193, 50_000])("%i bytes as Node has them, and back", (length) => {
    const some = bytes(length);
    expect(toBase64(some)).toBe(Buffer.from(some).toString("base64"));
    expect(toBase64url(some)).toBe(Buffer.from(some).toString("base64url"));
    expect(fromBase64(toBase64(some))).toEqual(some);
    expect(fromBase64url(toBase64url(some))).toEqual(some);
  });

  it("says no to other texts, and to a second spelling of the same bytes", () => {
    expect(fromBase64("a!")).toBeUndefined();
    for (const text of ["-_9", "a", "a b", "ab=", "+/8"]) expect(fromBase64url(text), text).toBeUndefined();
  });
});
