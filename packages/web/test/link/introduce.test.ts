import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type IntroduceOptions, introduce } from "../../src/link/introduce.ts";
import { collect, type Tamper, wire } from "./wire.ts";

const key = new Uint8Array(32).fill(7);
const same = { mode: "key", size: 4, spec: new Uint8Array(32).fill(1), key } as const;
const dialler = { ...same, role: "dialler", rank: 0, peer: 2 } as const;
const listener = { ...same, role: "listener", rank: 2 } as const;

async function outcomes(
  more: Partial<IntroduceOptions> = {},
  other: Partial<IntroduceOptions> = {},
  tamper?: Tamper,
): Promise<string[]> {
  const [a, b] = wire(tamper);
  const both = await Promise.allSettled([
    introduce(a, { ...dialler, timeout: 50, ...more }),
    introduce(b, { ...listener, timeout: 50, ...other }),
  ]);
  return both.map((one) => (one.status === "fulfilled" ? `${one.value.peer}` : (one.reason.reason ?? "an error")));
}

afterEach(() => vi.unstubAllGlobals());

describe("an introduction", () => {
  it("tells each side who the other is", async () => {
    expect(await outcomes()).toEqual(["2", "0"]);
    const plain = { mode: "plain", key: undefined } as const;
    expect(await outcomes(plain, plain)).toEqual(["2", "0"]);
    const socket = { mode: "socket", address: "wss://peer.example:8443/x" } as const;
    expect(await outcomes(socket, { ...socket, address: "wss://PEER.example:8443" })).toEqual(["2", "0"]);
  });

  it("refuses another key, spec, mode, size or rank", async () => {
    expect(await outcomes({ key: new Uint8Array(32) })).toEqual(["key", "closed"]);
    expect(await outcomes({ spec: new Uint8Array(32) })).toEqual(["closed", "spec"]);
    expect(await outcomes({ mode: "plain" })).toEqual(["closed", "mode"]);
    expect(await outcomes({ size: 5 })).toEqual(["closed", "rank"]);
    expect(await outcomes({ peer: 3 })).toEqual(["closed", "rank"]);
    expect(await outcomes({}, { peer: 1 })).toEqual(["closed", "rank"]);
  });

  it("refuses fingerprints that differ", async () => {
    const rtc = (listener: string) => ({ mode: "rtc", fingerprints: { dialler: "sha-256 AA", listener } }) as const;
    expect(await outcomes(rtc("sha-256 BB"), rtc("sha-256 BB"))).toEqual(["2", "0"]);
    expect(await outcomes(rtc("sha-256 BB"), rtc("sha-256 CC"))).toEqual(["key", "closed"]);
    expect((await outcomes({ mode: "rtc" }))[0]).toBe("an error");
  });

  it("refuses addresses that differ", async () => {
    const socket = (address: string) => ({ mode: "socket", address }) as const;
    expect(await outcomes(socket("wss://server.example"), socket("wss://peer.example"))).toEqual(["key", "closed"]);
    expect(await outcomes(socket("ws://localhost:1"), socket("wss://localhost:1"))).toEqual(["key", "closed"]);
    expect((await outcomes({ mode: "socket" }))[0]).toBe("an error");
  });

  it("refuses its own words sent back, and silence", async () => {
    const [near, far] = wire();
    far.listen({ message: (bytes) => far.send(bytes), drained: () => {}, closed: () => {} });
    await expect(introduce(near, { ...dialler, timeout: 50 })).rejects.toThrow(/refused: garbage/);
    expect((await outcomes({}, { timeout: 500 }, () => []))[0]).toBe("handshake");
  });

  it("refuses whatever else is said first", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 130 }), fc.constantFrom(dialler, listener), async (bytes, side) => {
        const [near, far] = wire();
        far.send(bytes.slice());
        await expect(introduce(near, { ...side, timeout: 50 })).rejects.toThrow(/refused/);
      }),
      { numRuns: 50 },
    );
  });

  it("needs a key, and for sealing what WebCrypto has", async () => {
    const [a] = wire();
    await expect(introduce(a, { ...dialler, key: undefined })).rejects.toThrow(/a key of at least 16 bytes/);
    vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes });
    await expect(introduce(a, dialler)).rejects.toThrow(/sealing needs crypto.subtle/);
  });
});

describe("a sealed link", () => {
  async function sealed(tamper: Tamper) {
    let handshake = 3;
    const broken = vi.fn();
    const [a, b] = wire((bytes) => (handshake-- > 0 ? [bytes] : tamper(bytes)));
    const [near, far] = await Promise.all([
      introduce(a, dialler),
      introduce(b, { ...listener, onBroken: () => broken() }),
    ]);
    const got = collect(far.link);
    collect(near.link);
    for (let k = 0; k < 4; k++) near.link.send(Uint8Array.of(k, 200));
    await vi.waitFor(() => expect(got.messages.length === 4 || got.closed).toBe(true));
    return { got, broken, near, far };
  }

  it("brings what was sent, in order, both ways, unreadable on the way", async () => {
    const seen: number[][] = [];
    const { got, broken, near, far } = await sealed((bytes) => {
      seen.push([...bytes]);
      return [bytes];
    });
    expect(got.messages).toEqual([0, 1, 2, 3].map((k) => [k, 200]));
    expect(seen.every((bytes) => bytes.length === 18)).toBe(true);
    expect(new Set(seen.map((bytes) => bytes[1])).size).toBeGreaterThan(1);
    const back = collect(near.link);
    far.link.send(Uint8Array.of(9));
    await vi.waitFor(() => expect(back.messages).toEqual([[9]]));
    near.link.close();
    await vi.waitFor(() => expect([back.closed, got.closed]).toEqual([true, true]));
    expect(broken).not.toHaveBeenCalled();
  });

  it.each<[string, (count: number, bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>[]]>([
    ["changed", (count, bytes) => [count === 1 ? bytes.map((byte) => byte ^ 1) : bytes]],
    ["repeated", (count, bytes) => (count === 0 ? [bytes, bytes.slice()] : [bytes])],
    ["left out", (count, bytes) => (count === 1 ? [] : [bytes])],
  ])("closes where a message was %s", async (_, tamper) => {
    let count = 0;
    const { got, broken } = await sealed((bytes) => tamper(count++, bytes));
    expect(got.messages).toEqual([[0, 200]]);
    expect([got.closed, broken.mock.calls.length]).toEqual([true, 1]);
  });
});
