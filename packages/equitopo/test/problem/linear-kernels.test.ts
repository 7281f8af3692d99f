import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LinearKind, linearData } from "../../src/problem/linear-kernel.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { plainData } from "./linear-reference.ts";

const kinds: readonly LinearKind[] = ["squares", "normal", "logistic"];
const noisy = (sigma: number) => ({ sigma, seed: 2 ** 40 + 5, t: 2 ** 33 + 1 });

/** The same data twice: where the kernels reach, and in ordinary memory. */
function both(kind: LinearKind, n: number, d: number, samples: number, scale: number) {
  const made = [linearData, plainData].map((make) => make({ kind, n, d, samples, regulariser: 0.01 }));
  for (const data of made) {
    fillNormal(data.features, 11, 1000, 0);
    fillNormal(data.targets, 11, 1001, 0);
  }
  const x = fillNormal(new Float64Array(n * d), 11, 1002, 0).map((v) => scale * v);
  return { kernel: made[0], plain: made[1], x };
}

const shapes = fc.record({
  kind: fc.constantFrom(...kinds),
  n: fc.integer({ min: 1, max: 9 }),
  d: fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 23 })),
  samples: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 140 })),
  // Large models drive the logistic function into its flat ends.
  scale: fc.constantFrom(0, 1, 30, 1e4),
  sigma: fc.constantFrom(0, 0.7),
});

describe("the kernels of linear models", () => {
  test("give the bits of the plain references, tails included", () => {
    fc.assert(
      fc.property(shapes, ({ kind, n, d, samples, scale, sigma }) => {
        const { kernel, plain, x } = both(kind, n, d, samples, scale);
        const [a, b] = [kernel, plain].map((data) => {
          const out = new Float64Array(n * d).fill(Number.NaN);
          data.gradient(x, out, 0, n, noisy(sigma));
          return out;
        });
        expect(a).toEqual(b);
        expect(a.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  test("logistic losses likewise", () => {
    fc.assert(
      fc.property(shapes, ({ n, d, samples, scale }) => {
        const { kernel, plain, x } = both("logistic", n, d, samples, scale);
        const [a, b] = [kernel, plain].map((data) => {
          const out = new Float64Array(n);
          data.losses(x.subarray(0, d), out);
          return out;
        });
        expect(a).toEqual(b);
        expect(a.every((v) => Number.isFinite(v) && v >= 0)).toBe(true);
      }),
    );
  });

  test.each(kinds)("%s: one node alone gives the bits it has among all, across batches", (kind) => {
    // Batches of 4096 numbers: node 900 is in the third one, and 7 d = 49 is no multiple of 4.
    const n = 1300;
    const d = 7;
    const { kernel, plain, x } = both(kind, n, d, 3, 1);
    const all = new Float64Array(n * d);
    kernel.gradient(x, all, 0, n, noisy(0.3));
    for (const data of [kernel, plain]) {
      for (const i of [0, 7, 584, 585, 586, 900, n - 1]) {
        const one = new Float64Array(d);
        data.gradient(x.slice(i * d, (i + 1) * d), one, i, 1, noisy(0.3));
        expect(one).toEqual(all.slice(i * d, (i + 1) * d));
      }
    }
  });

  test("float32 rows are read and written as such", () => {
    const { kernel, x } = both("normal", 4, 10, 20, 1);
    const single = Float32Array.from(x);
    const wide = new Float64Array(40);
    const narrow = new Float32Array(40);
    kernel.gradient(Float64Array.from(single), wide, 0, 4, noisy(1));
    kernel.gradient(single, narrow, 0, 4, noisy(1));
    expect(narrow).toEqual(Float32Array.from(wide));
  });

  test("data beyond 4 GiB is refused", () => {
    expect(() => linearData({ kind: "logistic", n: 1e5, d: 100, samples: 1000 })).toThrow(/fit in 4 GiB/);
  });
});
