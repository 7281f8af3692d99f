import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../../src/number/crc32.ts";
import {
  bytesOf,
  decodeHeader,
  encodeHeader,
  FrameError,
  FrameReader,
  type Header,
  headerBytes,
  type ReaderOptions,
} from "../../../src/peer/exchange/frame.ts";
import { allocate, elementBytes, typeOf, type Vector } from "../../../src/peer/exchange/transport.ts";

const spec = Uint8Array.from({ length: 32 }, (_, k) => k * 7);
const maxBytes = 4096;

const vectors = fc.oneof(
  fc.float64Array({ maxLength: 100, noNaN: true }),
  fc.float32Array({ maxLength: 200, noNaN: true }),
  fc.uint8Array({ maxLength: 300 }),
);
const letters = fc.array(
  fc.record({
    kind: fc.constantFrom("vector" as const, "yes" as const, "no" as const),
    round: fc.maxSafeNat(),
    sequence: fc.nat(1000),
    data: vectors,
  }),
  { maxLength: 6 },
);

function header(kind: Header["kind"], round: number, sequence: number, data: Vector | undefined): Header {
  const type = data === undefined ? undefined : typeOf(data);
  return {
    kind,
    type,
    guard: "crc",
    round,
    sender: 3,
    sequence,
    bytes: data?.byteLength ?? 0,
    checksum: data === undefined ? 0 : crc32(bytesOf(data)),
  };
}

function stream(all: readonly (readonly [Header, Vector | undefined])[]): Uint8Array {
  return Buffer.concat(
    all.flatMap(([head, data]) => [encodeHeader(head, spec), ...(data === undefined ? [] : [bytesOf(data)])]),
  );
}

/** Feeds bytes in pieces, in either of the two ways, and answers with the frames or the refusal. */
function read(bytes: Uint8Array, pieces: readonly number[], direct: boolean, more: Partial<ReaderOptions> = {}) {
  const frames: [Header, Vector | undefined][] = [];
  let largest = 0;
  const reader = new FrameReader(
    {
      spec,
      maxBytes,
      memory: (type, length) => {
        largest = Math.max(largest, length * elementBytes[type]);
        return allocate(type, length);
      },
      onFrame: (head, data) => frames.push([head, data]),
      ...more,
    },
    new Uint8Array(64),
  );
  let refusal: string | undefined;
  try {
    for (let at = 0, k = 0; at < bytes.length; k++) {
      const want = Math.max(1, pieces[k % pieces.length] ?? 1);
      if (direct) {
        const space = reader.space();
        const part = bytes.subarray(at, at + Math.min(want, space.length));
        space.set(part);
        reader.advance(part.length);
        at += part.length;
      } else {
        reader.push(bytes.subarray(at, at + want));
        at += want;
      }
    }
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    refusal = error.refusal;
  }
  return { frames, refusal, largest };
}

const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });

describe("frames", () => {
  it("come out as they went in, however the stream is cut", () => {
    fc.assert(
      fc.property(letters, pieces, fc.boolean(), (list, cut, direct) => {
        const sent = list.map(({ kind, round, sequence, data }) => {
          const body = kind === "vector" ? data : undefined;
          return [header(kind, round, sequence, body), body] as const;
        });
        const { frames, refusal } = read(stream(sent), cut, direct);
        expect(refusal).toBeUndefined();
        expect(frames).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  it("survive any garbage without a crash or more memory than one frame", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), pieces, fc.boolean(), (bytes, cut, direct) => {
        const { refusal, largest } = read(bytes, cut, direct);
        if (bytes.length >= headerBytes) expect(refusal).toBeDefined();
        expect(largest).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 300 },
    );
  });

  it("are refused when any one bit is wrong", () => {
    fc.assert(
      fc.property(vectors, fc.nat(), fc.nat(1 << 20), (data, bit, round) => {
        const bytes = stream([[header("vector", round, 0, data), data]]);
        const at = bit % (8 * bytes.length);
        bytes[at >> 3] ^= 1 << (at & 7);
        const { frames, refusal } = read(bytes, [7], false);
        expect(frames).toEqual([]);
        expect(refusal).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it("name why they are refused", () => {
    const good = header("vector", 5, 0, Float64Array.of(1, 2));
    const refusalOf = (head: Header, hash = spec, more: Partial<ReaderOptions> = {}) =>
      read(Buffer.concat([encodeHeader(head, hash), bytesOf(Float64Array.of(1, 2))]), [999], false, more).refusal;
    expect(refusalOf(good)).toBeUndefined();
    expect(refusalOf({ ...good, bytes: maxBytes + 8 })).toBe("oversize");
    expect(refusalOf({ ...good, bytes: 15 })).toBe("garbage");
    expect(refusalOf({ ...good, checksum: 1 })).toBe("checksum");
    expect(refusalOf({ ...good, guard: "seal" })).toBe("seal");
    expect(refusalOf({ ...good, guard: "none" })).toBe("seal");
    expect(refusalOf({ ...good, guard: "none" }, spec, { local: true })).toBeUndefined();
    expect(refusalOf({ ...good, kind: "yes" })).toBe("garbage");
    expect(refusalOf(good, new Uint8Array(32))).toBe("spec");
    expect(refusalOf(good, spec, { sender: 4 })).toBe("sender");
    const older = encodeHeader(good, spec);
    older[4] = 9;
    expect(decodeHeader(older, spec, maxBytes)).toBe("version");
  });
});
