/** Philox against its published vectors; integers, permutations and normals against their distributions. */

import { describe, expect, test } from "vitest";
import { createKernels } from "../../src/kernel/instance.ts";
import { cosSinTurn, log } from "../../src/number/elementary.ts";
import { fillNormal, fillNormalReference, normalKernel } from "../../src/random/normal.ts";
import { block, multiplyHigh, philox } from "../../src/random/philox.ts";
import { RandomStream, streams } from "../../src/random/stream.ts";

const TEST_STREAM = 1000;

describe("Philox 4x32-10", () => {
  // Random123's kat_vectors: "philox4x32 10", counter, key, result.
  test.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
  ])("counter %s, key %s gives %s", (counter, key, expected) => {
    const words = (text: string) => text.split(" ").map((word) => Number.parseInt(word, 16));
    const [c0, c1, c2, c3] = words(counter);
    const [k0, k1] = words(key);
    const out = new Uint32Array(4);
    philox(k0, k1, c0, c1, c2, c3, out);
    expect(Array.from(out)).toEqual(words(expected));
  });

  test("a block is (seed, stream, round, index) put into key and counter, with seeds and rounds beyond 2^32", () => {
    const out = new Uint32Array(4);
    const expected = new Uint32Array(4);
    block(2 ** 40 + 5, 7, 3 * 2 ** 33 + 9, 11, out);
    philox(5, 256, 11, 9, 7, 6, expected);
    expect(out).toEqual(expected);
  });

  test("the high half of a product, against BigInt", () => {
    const random = new RandomStream(1, TEST_STREAM);
    for (let k = 0; k < 2000; k++) {
      const [a, b] = [random.word(), random.word()];
      expect(multiplyHigh(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
    }
    expect(multiplyHigh(0xffffffff, 0xffffffff)).toBe(0xfffffffe);
  });
});

/** Pearson's statistic against equal shares. */
function chiSquare(counts: Iterable<number>): number {
  const list = [...counts];
  const mean = list.reduce((a, b) => a + b) / list.length;
  return list.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
}

describe("streams", () => {
  test("every stream has its own number", () => {
    const ids = Object.values(streams);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids)).toBeLessThan(TEST_STREAM);
  });

  test("below(range) is Lemire's method word for word: rejection exactly where the low half is below 2^32 mod range", () => {
    for (const range of [1, 2, 3, 6, 1000, 2 ** 16, 2 ** 31, 2 ** 31 + 1, 3 * 2 ** 30, 2 ** 32 - 1, 2 ** 32]) {
      const random = new RandomStream(range, TEST_STREAM);
      const words = new RandomStream(range, TEST_STREAM);
      const wide = BigInt(range);
      for (let k = 0; k < 300; k++) {
        let product = BigInt(words.word()) * wide;
        while (product % 2n ** 32n < 2n ** 32n % wide) product = BigInt(words.word()) * wide;
        expect(random.below(range)).toBe(Number(product >> 32n));
      }
    }
  });

  test("below(range) is uniform, also where taking a remainder would not be", () => {
    const random = new RandomStream(3, TEST_STREAM);
    const dice = new Array<number>(6).fill(0);
    for (let k = 0; k < 60_000; k++) dice[random.below(6)]++;
    // 5 degrees of freedom: above 20.5 once in a thousand.
    expect(chiSquare(dice)).toBeLessThan(20.5);
    // Thirds of 3 * 2^30: a plain word mod range would put half of all draws into the first.
    const thirds = [0, 0, 0];
    for (let k = 0; k < 30_000; k++) thirds[Math.floor(random.below(3 * 2 ** 30) / 2 ** 30)]++;
    expect(chiSquare(thirds)).toBeLessThan(13.8);
  });

  test("uniform() is a multiple of 2^-53 in [0, 1), spread evenly", () => {
    const random = new RandomStream(4, TEST_STREAM);
    const bins = new Array<number>(32).fill(0);
    const lowest = new Array<number>(8).fill(0);
    for (let k = 0; k < 64_000; k++) {
      const u = random.uniform();
      if (!(u >= 0 && u < 1 && Number.isInteger(u * 2 ** 53))) throw new Error(`${u}`);
      bins[Math.floor(32 * u)]++;
      lowest[(u * 2 ** 53) % 8]++;
    }
    expect(chiSquare(bins)).toBeLessThan(61.1);
    expect(chiSquare(lowest)).toBeLessThan(24.3);
  });

  test("permutations are permutations, and all 24 of 4 are equally frequent", () => {
    const random = new RandomStream(5, TEST_STREAM);
    const counts = new Map<string, number>();
    for (let k = 0; k < 24_000; k++) {
      const key = random.permutation(4).join("");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare(counts.values())).toBeLessThan(49.7);
    for (const n of [1, 2, 10, 1000]) {
      expect(Array.from(random.permutation(n)).sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    }
  });

  test("at(round) starts over at that round, whatever was read before", () => {
    const random = new RandomStream(6, TEST_STREAM, 2);
    const first = [random.word(), random.word(), random.word()];
    random.at(7).uniform();
    random.at(2);
    expect([random.word(), random.word(), random.word()]).toEqual(first);
    expect(new RandomStream(6, TEST_STREAM, 7).word()).toBe(random.at(7).word());
  });

  test("seeds, streams and rounds that are not counts are refused", () => {
    for (const bad of [-1, 0.5, Number.NaN, 2 ** 60]) {
      expect(() => new RandomStream(bad, 0)).toThrow("seed must be an integer");
      expect(() => new RandomStream(0, bad)).toThrow("stream must be an integer");
      expect(() => new RandomStream(0, 0, bad)).toThrow("round must be an integer");
    }
  });
});

describe("normals", () => {
  test("this engine runs the kernel, so that comparing with it means something", () => {
    expect(createKernels(65_536)).not.toBeNull();
    expect(normalKernel(new Float64Array(1), 0, 0, 0, 0)).toBe(true);
  });

  test.each([Float64Array, Float32Array])("the kernel equals the reference bit for bit (%o)", (Rows) => {
    const lengths = [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 64, 1000, 8191, 8192, 8193, 16_400];
    const offsets = [0, 1, 2, 3, 4, 7, 13, 16, 8190, 8192, 1_000_003, 2 ** 32 + 5, 2 ** 33 + 2];
    lengths.forEach((length, k) => {
      for (const offset of length > 1000 ? offsets.slice(k % 3, (k % 3) + 5) : offsets) {
        const [seed, stream, round] = [k * 2 ** 33 + k, TEST_STREAM + k, offset * 3];
        const found = new Rows(length);
        expect(normalKernel(found, seed, stream, round, offset)).toBe(true);
        const expected = fillNormalReference(new Rows(length), seed, stream, round, offset);
        const same = Buffer.from(found.buffer).equals(Buffer.from(expected.buffer));
        expect(same, `length ${length}, offset ${offset}`).toBe(true);
      }
    });
  });

  test("one node's row is a slice of the whole", () => {
    const whole = fillNormal(new Float64Array(500), 9, TEST_STREAM, 4);
    for (const [first, count] of [
      [0, 7],
      [7, 7],
      [77, 1],
      [123, 200],
    ]) {
      const part = fillNormal(new Float64Array(count), 9, TEST_STREAM, 4, first);
      expect(part).toEqual(whole.slice(first, first + count));
    }
  });

  const count = 200_000;
  const z = fillNormal(new Float64Array(count), 2022, TEST_STREAM, 0);
  const moment = (power: number) => z.reduce((sum, value) => sum + value ** power, 0) / count;

  test("moments within five standard errors: 0, 1, 0, 3", () => {
    // Variances of z, z^2, z^3, z^4: 1, 2, 15, 96.
    [0, 1, 0, 3].forEach((expected, k) => {
      const error = 5 * Math.sqrt([1, 2, 15, 96][k] / count);
      expect(Math.abs(moment(k + 1) - expected), `moment ${k + 1}`).toBeLessThan(error);
    });
  });

  test("tails: as many beyond 1, 2, 3 and 4 as the law says, none beyond 6.77", () => {
    for (const [edge, share] of [
      [1, 0.317_310_5],
      [2, 0.045_500_26],
      [3, 0.002_699_796],
      [4, 6.334_248e-5],
    ]) {
      const beyond = z.reduce((sum, value) => sum + (Math.abs(value) > edge ? 1 : 0), 0);
      expect(Math.abs(beyond - share * count), `${edge}`).toBeLessThan(5 * Math.sqrt(share * count));
    }
    expect(z.reduce((a, b) => Math.max(a, Math.abs(b)), 0)).toBeLessThan(6.77);
  });

  test("Kolmogorov and Smirnov's distance to the normal law", () => {
    const sorted = Float64Array.from(z).sort();
    let distance = 0;
    sorted.forEach((value, k) => {
      const p = normalShare(value);
      distance = Math.max(distance, Math.abs(p - k / count), Math.abs(p - (k + 1) / count));
    });
    // sqrt(count) D is above 1.95 once in a thousand.
    expect(Math.sqrt(count) * distance).toBeLessThan(1.95);
  });

  test("neighbours, rounds and streams are uncorrelated", () => {
    const others = [
      z.map((_, k) => z[(k + 1) % count]),
      z.map((_, k) => z[(k + 2) % count]),
      fillNormal(new Float64Array(count), 2022, TEST_STREAM, 1),
      fillNormal(new Float64Array(count), 2022, TEST_STREAM + 1, 0),
      fillNormal(new Float64Array(count), 2023, TEST_STREAM, 0),
    ];
    for (const other of others) {
      const correlation = z.reduce((sum, value, k) => sum + value * other[k], 0) / count;
      expect(Math.abs(correlation)).toBeLessThan(5 / Math.sqrt(count));
    }
  });
});

/** The normal distribution function, by Abramowitz and Stegun 7.1.26 (error below 1.5e-7). */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.327_591_1 * (Math.abs(x) / Math.SQRT2));
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const tail = series.reduce((sum, a) => (sum + a) * t, 0) * Math.exp(-(x * x) / 2);
  return x < 0 ? tail / 2 : 1 - tail / 2;
}

describe("elementary functions", () => {
  /** How many representable numbers lie between a and b. */
  function ulps(a: number, b: number): number {
    const view = new DataView(new ArrayBuffer(8));
    const place = (x: number) => {
      view.setFloat64(0, x);
      const bits = view.getBigInt64(0);
      return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
    };
    const difference = place(a) - place(b);
    return Number(difference < 0n ? -difference : difference);
  }

  test("ln agrees with Math.log to 2 ulp", () => {
    const random = new RandomStream(8, TEST_STREAM);
    expect(log(1)).toBe(0);
    for (let k = 0; k < 20_000; k++) {
      const x = (random.word() + 0.5) / 2 ** 32;
      for (const value of [x, 1 + x / 1000, 1 - x / 1000, x * 1e6]) {
        if (ulps(log(value), Math.log(value)) > 2)
          throw new Error(`ln ${value}: ${log(value)}, Math ${Math.log(value)}`);
      }
    }
  });

  test("cos and sin of a fraction of a turn agree with Math to 2 ulp, at every quarter's edges too", () => {
    const random = new RandomStream(9, TEST_STREAM);
    const edges = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((eighth) => [-1, 0, 1].map((step) => eighth * 2 ** 29 + step));
    const words = [...edges.map((word) => word >>> 0), ...Array.from({ length: 20_000 }, () => random.word())];
    const out = new Float64Array(2);
    for (const word of words) {
      cosSinTurn(word, out);
      // The reference is taken within an eighth of a turn, where Math sees a small angle and its argument is exact enough.
      const quarter = Math.round(word / 2 ** 30);
      const x = ((word - quarter * 2 ** 30) / 2 ** 32) * 2 * Math.PI;
      const [c, s] = [Math.cos(x), Math.sin(x)];
      const expected = [
        [c, s],
        [-s, c],
        [-c, -s],
        [s, -c],
      ][quarter % 4];
      expected.forEach((value, k) => {
        if (ulps(out[k] + 0, value + 0) > 2) throw new Error(`word ${word}: ${out[k]} is not ${value}`);
      });
    }
  });
});
