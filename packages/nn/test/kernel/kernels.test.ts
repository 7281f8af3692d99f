/** The training kernels against plain loops, for every shape: tails, strides, padding, and nothing written elsewhere. */

import { block, high32 } from "equitopo/internal/random";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convolveScratch, createNnKernels, type NnMemory, pitchOf } from "../../src/kernel/kernels.ts";

/** Node's, which the types of the tests leave out. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number }) => NnMemory;
};

const CANARY = 12345.678;
const BYTES = 1 << 20;
const { call, memory } = createNnKernels(BYTES);
const all = new Float32Array(memory.buffer);

/** Buffers with canaries around them; `intact` says whether all canaries are alive. */
class Arena {
  #at = 16;
  readonly #fences: number[] = [];

  constructor() {
    all.fill(CANARY);
  }

  place(count: number, fill: (k: number) => number = () => 0): { at: number; values: Float32Array } {
    const at = this.#at;
    const values = new Float32Array(memory.buffer, at, count);
    for (let k = 0; k < count; k++) values[k] = fill(k);
    this.#fences.push(at / 4 + count);
    this.#at = 16 * Math.ceil((at + 4 * count + 16) / 16);
    return { at, values };
  }

  intact(): boolean {
    const dead = (k: number) => all[k] !== Math.fround(CANARY);
    return ![0, 1, 2, 3, ...this.#fences.flatMap((f) => [f, f + 1, f + 2, f + 3])].some(dead);
  }
}

/** Small integers: every sum below is exact, so kernels and loops must agree to the bit. */
const integers = (seed: number) => (k: number) => ((Math.imul(k + 1, 2654435761 + 2 * seed) >>> 16) % 9) - 4;

const sizes = (max: number) => fc.integer({ min: 1, max });

describe("convolution", () => {
  const geometries = fc
    .record({
      ...{ images: sizes(3), h: sizes(9), w: sizes(9), ic: sizes(13), oc: sizes(22), stride: sizes(3) },
      ...{ kh: sizes(4), kw: sizes(4), pad: fc.integer({ min: 0, max: 2 }), tight: fc.boolean() },
    })
    .filter(({ h, w, kh, kw, pad }) => h + 2 * pad >= kh && w + 2 * pad >= kw);

  it("and its gradients are the plain sums", () => {
    fc.assert(
      fc.property(geometries, ({ images, h, w, ic, oc, stride, kh, kw, pad, tight }) => {
        const oh = Math.floor((h + 2 * pad - kh) / stride) + 1;
        const ow = Math.floor((w + 2 * pad - kw) / stride) + 1;
        const pitch = tight ? ic : pitchOf(ic);
        const outPitch = pitchOf(oc);
        const arena = new Arena();
        const channel = (p: number, c: number, seed: number) => (k: number) => (k % p < c ? integers(seed)(k) : 0);
        const x = arena.place(images * h * w * pitch, channel(pitch, ic, 1));
        const weights = arena.place(kh * kw * ic * oc, integers(2));
        const bias = arena.place(oc, integers(3));
        const y = arena.place(images * oh * ow * outPitch, () => 7);
        const dy = arena.place(images * oh * ow * outPitch, channel(outPitch, oc, 4));
        const dw = arena.place(kh * kw * ic * oc, () => 7);
        const dx = arena.place(images * h * w * pitchOf(ic), () => 7);
        const geometry = { h, w, pitch, ic, pad, stride, kh, kw, oh, ow, oc, outPitch };
        const scratch = arena.place(convolveScratch(geometry) / 4, () => Number.NaN);
        const image = [images, h, w, pitch, ic, pad, stride, kh, kw] as const;
        const out = [oh, ow, oc, outPitch] as const;
        call.convolve(x.at, ...image, weights.at, bias.at, y.at, ...out, 1, scratch.at);
        scratch.values.fill(Number.NaN);
        call.convolveWeightGradient(x.at, ...image, dy.at, dw.at, ...out, scratch.at);
        scratch.values.fill(Number.NaN);
        const wide = [images, h, w, pitchOf(ic), ic, pad, stride, kh, kw] as const;
        call.convolveInputGradient(dy.at, ...wide, weights.at, dx.at, ...out, scratch.at);

        const sums = new Float64Array(y.values.length).map((_, k) =>
          k % outPitch < oc ? bias.values[k % outPitch] : 0,
        );
        const weightSums = new Float64Array(dw.values.length);
        const inputSums = new Float64Array(dx.values.length);
        for (let n = 0; n < images; n++) {
          for (let oy = 0; oy < oh; oy++) {
            for (let ox = 0; ox < ow; ox++) {
              const to = ((n * oh + oy) * ow + ox) * outPitch;
              for (let tap = 0; tap < kh * kw; tap++) {
                const [iy, ix] = [oy * stride + Math.floor(tap / kw) - pad, ox * stride + (tap % kw) - pad];
                if (iy < 0 || iy >= h || ix < 0 || ix >= w) continue;
                const pixel = (n * h + iy) * w + ix;
                for (let i = 0; i < ic; i++) {
                  for (let o = 0; o < oc; o++) {
                    const weight = (tap * ic + i) * oc + o;
                    sums[to + o] += x.values[pixel * pitch + i] * weights.values[weight];
                    weightSums[weight] += x.values[pixel * pitch + i] * dy.values[to + o];
                    inputSums[pixel * pitchOf(ic) + i] += dy.values[to + o] * weights.values[weight];
                  }
                }
              }
            }
          }
        }
        expect(y.values).toEqual(Float32Array.from(sums, (v) => Math.max(0, v)));
        expect(dw.values).toEqual(Float32Array.from(weightSums));
        expect(dx.values).toEqual(Float32Array.from(inputSums));
        expect(arena.intact()).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("rows", () => {
  it("are copied, summed and scaled to the last number", () => {
    for (let columns = 1; columns <= 9; columns++) {
      const arena = new Arena();
      const pitch = pitchOf(columns);
      const x = arena.place(70 * pitch, (k) => (k % pitch < columns ? integers(1)(k) : 0));
      const tight = arena.place(70 * columns);
      const sums = arena.place(columns);
      call.copyRows(x.at, pitch, tight.at, columns, columns, 70);
      call.columnSums(x.at, 70, pitch, columns, sums.at);
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let i = 0; i < 70; i++) {
          expect(tight.values[i * columns + c]).toBe(x.values[i * pitch + c]);
          sum += x.values[i * pitch + c];
        }
        expect(sums.values[c]).toBe(sum);
      }
      const [y, v] = [arena.place(columns, integers(2)), arena.place(columns, integers(3))];
      call.axpby(2, tight.at, 3, y.at, columns);
      expect(y.values).toEqual(Float32Array.from(y.values, (_, k) => 2 * tight.values[k] + 3 * integers(2)(k)));
      call.sgd(y.at, tight.at, v.at, columns, 0.5, 0.25, 2);
      for (let k = 0; k < columns; k++) {
        const at = 2 * tight.values[k] + 3 * integers(2)(k);
        const step = 0.25 * integers(3)(k) + (tight.values[k] + 2 * at);
        expect([v.values[k], y.values[k]]).toEqual([step, at - 0.5 * step]);
      }
      const [r, m] = [arena.place(columns), arena.place(columns)];
      call.relu(tight.at, r.at, columns);
      call.reluGradient(tight.at, v.at, m.at, columns);
      for (let k = 0; k < columns; k++) {
        expect(r.values[k]).toBe(Math.max(0, tight.values[k]));
        expect(m.values[k]).toBe(tight.values[k] > 0 ? v.values[k] : 0);
      }
      call.addRows(tight.at, v.at, r.at, columns, 1);
      call.multiply(tight.at, v.at, m.at, columns);
      for (let k = 0; k < columns; k++) {
        expect(r.values[k]).toBe(Math.max(0, tight.values[k] + v.values[k]));
        expect(m.values[k]).toBe(Math.fround(tight.values[k] * v.values[k]));
      }
      expect(arena.intact()).toBe(true);
    }
  });

  it("keep NaN through ReLU and pooling, so that a diverged model shows", () => {
    const arena = new Arena();
    const x = arena.place(16, (k) => (k === 5 ? Number.NaN : -1));
    const [y, index] = [arena.place(4), arena.place(4)];
    call.maxPool(x.at, 1, 2, 2, 4, 2, 2, y.at, index.at, 1, 1, 1);
    expect([...y.values]).toEqual([0, Number.NaN, 0, 0]);
    call.relu(x.at, x.at, 16);
    expect(x.values[5]).toBeNaN();
    expect(x.values[4]).toBe(0);
  });

  it("of equal maxima the first takes the gradient", () => {
    const arena = new Arena();
    const x = arena.place(16, () => 3);
    const [y, index, dy, dx] = [arena.place(4), arena.place(4), arena.place(4, (k) => k + 1), arena.place(16, () => 9)];
    call.maxPool(x.at, 1, 2, 2, 4, 2, 2, y.at, index.at, 1, 1, 0);
    call.maxPoolGradient(dy.at, y.at, index.at, 1, 2, 2, 4, 2, 2, dx.at, 1, 1, 0);
    expect([...dx.values]).toEqual([1, 2, 3, 4, ...new Array(12).fill(0)]);
  });
});

describe("the loss", () => {
  const logits = [2, -1, 0.5, 0.25, 3, -2, 1, 1, 1, -4, 0, 4];
  const labels = [0, 1, 2, 1];
  function run(overBatch: 0 | 1, shift: number) {
    const arena = new Arena();
    const z = arena.place(16, (k) => (k % 4 < 3 ? logits[3 * Math.floor(k / 4) + (k % 4)] + shift : 99));
    const answers = arena.place(4);
    new Int32Array(memory.buffer, answers.at, 4).set(labels);
    const gradient = arena.place(16, () => 9);
    const loss = call.crossEntropy(z.at, 4, 4, 3, answers.at, overBatch, gradient.at);
    expect(arena.intact()).toBe(true);
    return { loss, gradient: gradient.values };
  }

  it.each([
    ["over the classes", 0],
    ["over the batch", 1],
  ] as const)("%s is log_softmax and nll_loss, at any height", (_, overBatch) => {
    // x = log_softmax(z, dim), by hand.
    const lines = [0, 1, 2, 3].map((n) => logits.slice(3 * n, 3 * n + 3));
    const norm = (n: number, c: number) => {
      const terms = overBatch ? lines.map((line) => line[c]) : lines[n];
      return Math.log(terms.reduce((sum, v) => sum + Math.exp(v), 0));
    };
    const expected = labels.reduce((sum, label, n) => sum + norm(n, label) - lines[n][label], 0) / 4;
    for (const shift of [0, 300, -2000]) {
      const { loss, gradient } = run(overBatch, shift);
      expect(loss).toBeCloseTo(expected, shift === 0 ? 12 : 3);
      for (let n = 0; n < 4; n++) {
        expect(gradient[4 * n + 3]).toBe(0);
        for (let c = 0; c < 3; c++) {
          const log = lines[n][c] - norm(n, c);
          const hits = overBatch ? labels.filter((label) => label === c).length : 1;
          const slope = (hits * Math.exp(log) - (labels[n] === c ? 1 : 0)) / 4;
          expect(gradient[4 * n + c]).toBeCloseTo(slope, shift === 0 ? 6 : 3);
        }
      }
    }
  });
});

describe("dropout", () => {
  it("is Philox's words against the rate", () => {
    const arena = new Arena();
    const mask = arena.place(160);
    const [seed, round] = [2 ** 40 + 3, 2 ** 33 + 5];
    call.dropoutMask(
      mask.at,
      10,
      (0.3 * 2 ** 32) | 0,
      1 / 0.7,
      100,
      seed | 0,
      high32(seed),
      51,
      round | 0,
      high32(round),
    );
    const words = new Uint32Array(4);
    for (let k = 0; k < 160; k++) {
      block(seed, 51, round, 100 + 4 * Math.floor(k / 16) + (k % 4), words);
      const kept = words[Math.floor((k % 16) / 4)] >= Math.floor(0.3 * 2 ** 32);
      expect(mask.values[k]).toBe(kept ? Math.fround(1 / 0.7) : 0);
    }
    expect(arena.intact()).toBe(true);
  });
});

describe("memory", () => {
  it("may be shared by several instances, which give the same bits", () => {
    const shared = new WebAssembly.Memory({ initial: 4 });
    const [first, second] = [createNnKernels(shared), createNnKernels(shared)];
    const values = new Float32Array(shared.buffer, 16, 8);
    values.set([1, 2, 3, 4, 5, 6, 7, 8]);
    first.call.axpby(2, 16, 0, 32, 4);
    second.call.axpby(1, 32, 1, 16, 4);
    expect([...values]).toEqual([3, 6, 9, 12, 2, 4, 6, 8]);
  });
});
