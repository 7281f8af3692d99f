import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameBytes } from "../../../src/number/hmac.ts";
import { checkHello, encodeHello, type Hello, helloBytes, proof, saltOf } from "../../../src/peer/exchange/hello.ts";

const spec = Uint8Array.from({ length: 32 }, (_, k) => k * 7);
const key = new Uint8Array(32).fill(5);
const self = { mode: "key" as const, spec, from: 1, size: 4 };
const encoded = (hello: Hello, random = 3) => encodeHello(hello, new Uint8Array(32).fill(random));

describe("a hello", () => {
  it("is accepted from who fits, and refused with a reason from others", () => {
    const hello = { mode: "key" as const, spec, from: 2, to: 1, size: 4 };
    expect(checkHello(encoded(hello), self)).toBe(2);
    expect(checkHello(encoded({ ...hello, mode: "plain" }), self)).toBe("mode");
    expect(checkHello(encoded({ ...hello, spec: new Uint8Array(32) }), self)).toBe("spec");
    expect(checkHello(encoded({ ...hello, from: 1 }), self)).toBe("rank");
    expect(checkHello(encoded({ ...hello, to: 3 }), self)).toBe("rank");
    expect(checkHello(encoded({ ...hello, size: 5 }), self)).toBe("rank");
    expect(checkHello(encoded(hello).subarray(0, 83), self)).toBe("garbage");
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 2 * helloBytes }), (bytes) => {
        expect(typeof checkHello(bytes, self)).toBe("string");
      }),
    );
  });

  it("has proofs that depend on the key, the role, both sides and the binding", () => {
    const a = encoded({ ...self, to: 2 });
    const b = encoded({ ...self, from: 2, to: 1 });
    const binding = Uint8Array.of(1, 2);
    const right = proof(key, "dialler", a, b, binding);
    expect(sameBytes(right, proof(key, "dialler", a, b, binding))).toBe(true);
    for (const wrong of [
      proof(new Uint8Array(32), "dialler", a, b, binding),
      proof(key, "listener", a, b, binding),
      proof(key, "dialler", b, a, binding),
      proof(key, "dialler", a, encoded({ ...self, from: 2, to: 1 }, 4), binding),
      proof(key, "dialler", a, b, Uint8Array.of(1, 3)),
      proof(key, "dialler", a, b),
    ]) {
      expect(sameBytes(right, wrong)).toBe(false);
    }
    expect([...saltOf(a, encoded({ ...self, to: 2 }, 4))]).toEqual([...Array(32).fill(3), ...Array(32).fill(4)]);
  });
});
