/** Letters of one rank: headers that are checked, and the order in which they are delivered. */

import { encodeHeader, type Header } from "equitopo/internal/peer";
import { describe, expect, it } from "vitest";
import { Inbound, readHeader } from "../src/inbound.ts";

const spec = Uint8Array.from({ length: 32 }, (_, k) => k);
const header = (round: number, more: Partial<Header> = {}): Header => ({
  ...{ kind: "vector", type: "float64", guard: "none", round, sender: 3, sequence: 0, bytes: 16, checksum: 0 },
  ...more,
});
const letter = (one: Header, inline = one.bytes) => {
  const bytes = new Uint8Array(48 + inline);
  bytes.set(encodeHeader(one, spec));
  return bytes;
};

describe("a letter's header", () => {
  it("comes back as it was sent, for any round", () => {
    for (const round of [0, 50, 1074, 2 ** 32 + 5, 2 ** 53 - 1]) {
      expect(readHeader(letter(header(round)), spec)).toEqual(header(round));
    }
    // A large vector follows apart.
    expect(readHeader(letter(header(7, { bytes: 80_000 }), 0), spec)).toMatchObject({ round: 7, bytes: 80_000 });
  });

  it("is refused where it is not what that rank would send in this run", () => {
    const other = spec.map((value) => value ^ 1);
    const torn = letter(header(7));
    torn[17] ^= 1;
    expect(readHeader(letter(header(7)), other)).toBe("spec");
    expect(readHeader(torn, spec)).toBe("checksum");
    expect(readHeader(letter(header(7)).subarray(0, 40), spec)).toBe("garbage");
    expect(readHeader(letter(header(7), 8), spec)).toBe("length");
    expect(readHeader(letter(header(7, { bytes: 80_000 })), spec)).toBe("length");
  });
});

describe("what has come from one rank", () => {
  const arrived = (round: number, apart = false) => ({
    ...{ header: header(round), apart, data: apart ? undefined : Float64Array.of(round, 0) },
  });

  it("delivers in order what the round has reached, and knows how far its rank is", () => {
    const inbound = new Inbound();
    expect([inbound.first(0), inbound.reached]).toEqual([undefined, -1]);
    for (const round of [3, 4, 900]) inbound.add(arrived(round, round === 4));
    expect(inbound.reached).toBe(900);
    expect(inbound.first(2)).toBe("later");
    expect(inbound.first(3)).toMatchObject({ header: { round: 3 }, apart: false });
    inbound.shift();
    // Rounds that were skipped are delivered, too: as late ones.
    expect(inbound.first(800)).toMatchObject({ header: { round: 4 }, apart: true });
    inbound.shift();
    expect(inbound.first(800)).toBe("later");
    inbound.shift();
    expect(inbound.first(901)).toBeUndefined();
  });

  it("reads what is there before it delivers anything, within bounds", () => {
    const inbound = new Inbound();
    inbound.more = true;
    for (let round = 0; !inbound.full; round++) {
      inbound.add(arrived(round));
      if (round % 512 === 0) expect(inbound.first(5)).toBeUndefined();
    }
    expect(inbound.reached).toBe(8191);
    expect(inbound.first(5)).toMatchObject({ header: { round: 0 } });
  });
});
