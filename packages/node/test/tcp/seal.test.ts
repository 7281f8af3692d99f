import { describe, expect, it } from "vitest";
import { headerBytes } from "../../../equitopo/src/peer/exchange/frame.ts";
import { encodeHello } from "../../../equitopo/src/peer/exchange/hello.ts";
import { Seal } from "../../src/tcp/seal.ts";

describe("a seal", () => {
  const key = new Uint8Array(32).fill(5);
  const hello = { mode: "key", spec: new Uint8Array(32), size: 4 } as const;
  const a = encodeHello({ ...hello, from: 1, to: 2 }, new Uint8Array(32).fill(1));
  const b = encodeHello({ ...hello, from: 2, to: 1 }, new Uint8Array(32).fill(2));

  it("keeps frames from being read, changed, repeated and left out", () => {
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
