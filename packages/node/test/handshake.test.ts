import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerBytes } from "../../equitopo/src/peer/frame.ts";
import { checkHello, encodeHello, helloBytes, proof, Seal, sameProof } from "../src/peer/handshake.ts";

const spec = Uint8Array.from({ length: 32 }, (_, k) => k * 7);

describe("the handshake", () => {
  const key = new Uint8Array(32).fill(5);
  const self = { mode: "key" as const, spec, from: 1, size: 4 };

  it("accepts who fits and says why it refuses others", () => {
    const hello = { mode: "key" as const, spec, from: 2, to: 1, size: 4 };
    expect(checkHello(encodeHello(hello), self)).toBe(2);
    expect(checkHello(encodeHello({ ...hello, mode: "plain" }), self)).toBe("mode");
    expect(checkHello(encodeHello({ ...hello, spec: new Uint8Array(32) }), self)).toBe("spec");
    expect(checkHello(encodeHello({ ...hello, from: 1 }), self)).toBe("rank");
    expect(checkHello(encodeHello({ ...hello, to: 3 }), self)).toBe("rank");
    expect(checkHello(encodeHello({ ...hello, size: 5 }), self)).toBe("rank");
    fc.assert(
      fc.property(fc.uint8Array({ minLength: helloBytes, maxLength: helloBytes }), (bytes) => {
        expect(typeof checkHello(Buffer.from(bytes), self)).toBe("string");
      }),
    );
  });

  it("has proofs that depend on the key, the role and both sides", () => {
    const a = encodeHello({ ...self, to: 2 });
    const b = encodeHello({ ...self, from: 2, to: 1 });
    const right = proof(key, "dialler", a, b);
    expect(sameProof(right, proof(key, "dialler", a, b))).toBe(true);
    for (const wrong of [
      proof(new Uint8Array(32), "dialler", a, b),
      proof(key, "listener", a, b),
      proof(key, "dialler", b, a),
      proof(key, "dialler", a, encodeHello({ ...self, from: 2, to: 1 })),
    ]) {
      expect(sameProof(right, wrong)).toBe(false);
    }
  });

  it("seals frames against reading, changing, repeating and leaving out", () => {
    const [a, b] = [encodeHello({ ...self, to: 2 }), encodeHello({ ...self, from: 2, to: 1 })];
    const ends = () => [new Seal(key, a, b), new Seal(key, a, b)] as const;
    const head = new Uint8Array(headerBytes).fill(1);
    const payload = new Uint8Array(40).fill(9);
    const [sender, receiver] = ends();
    const first = sender.seal(head, payload);
    expect(Buffer.compare(first.payload, payload)).not.toBe(0);
    expect(receiver.open(head, first.payload, first.tag)).toEqual(Buffer.from(payload));
    expect(receiver.open(head, first.payload, first.tag)).toBeUndefined();
    const [next, other] = ends();
    const sealed = next.seal(head, payload);
    expect(other.open(new Uint8Array(headerBytes), sealed.payload, sealed.tag)).toBeUndefined();
  });
});
