/**
 * The data of a linear model in the kernels' memory, and the calls that go over it in batches of nodes whose models, noise
 * and gradients stay in the cache while the data streams by.
 */

import { InputError } from "../input/input.ts";
import { createKernels, type Kernels } from "../kernel/instance.ts";
import { high32 } from "../random/philox.ts";
import { streams } from "../random/stream.ts";
import type { Rows } from "../round/round.ts";

/** squares: rows A and targets b. normal: m = -A^T b and H = A^T A. logistic: rows y h. */
export type LinearKind = "squares" | "normal" | "logistic";

/** Numbers of x in one batch: 32 kB each of models, noise and gradients. */
const BATCH = 4096;
const SCRATCH_BYTES = 1024;

export interface LinearData {
  /** K rows per node (d + 1 for kind normal), d numbers per row. */
  readonly features: Float64Array;
  /** K numbers per node for kind squares, else empty. */
  readonly targets: Float64Array;
  /** Gradients of nodes first .. first + count - 1 plus sigma times their noise of (seed, t). */
  gradient(x: Rows, out: Rows, first: number, count: number, noise: Noise): void;
  /** Logistic only: each node's sum of losses at one point. */
  losses(x: ArrayLike<number>, out: Float64Array): void;
}

export interface Noise {
  readonly sigma: number;
  readonly seed: number;
  readonly t: number;
}

export interface DataOptions {
  readonly kind: LinearKind;
  readonly n: number;
  /** It is the data of nodes first, first + 1, ..., first + n - 1. */
  readonly first?: number;
  readonly d: number;
  readonly samples: number;
  readonly regulariser?: number;
}

/** Memory for the data, zeroed, which the caller fills. */
export function linearData({ kind, n, first: base = 0, d, samples, regulariser = 0 }: DataOptions): LinearData {
  const rows = kind === "normal" ? d + 1 : samples;
  const featureCount = n * rows * d;
  const targetCount = kind === "squares" ? n * samples : 0;
  const batch = Math.max(1, Math.floor(BATCH / d));
  // Order: scratch, models, noise (in whole groups of 16 from a multiple of 4), gradients, data.
  const xAt = SCRATCH_BYTES;
  const noiseAt = xAt + 8 * batch * d;
  const outAt = noiseAt + 8 * (batch * d + 32);
  const featuresAt = outAt + 8 * batch * d;
  const targetsAt = featuresAt + 8 * featureCount;
  const bytes = targetsAt + 8 * targetCount;
  if (bytes > 2 ** 32) {
    throw new InputError("a problem's data must fit in 4 GiB", `${bytes} bytes`, "try fewer nodes or samples");
  }
  const kernels = createKernels(bytes);
  if (kernels === null) throw new InputError("linear models need WebAssembly with SIMD", "none", "use another engine");
  const { call } = kernels;
  // The memory never grows, so views last.
  const view = (at: number, length: number) => new Float64Array(kernels.memory.buffer, at, length);
  const one = (nodes: number, at: number, noise: number, sigma: number) => {
    const features = featuresAt + 8 * at * rows * d;
    const targets = targetsAt + 8 * at * samples;
    if (kind === "squares") call.squaresGradient(features, targets, samples, d, xAt, outAt, nodes, noise, sigma, 0);
    else if (kind === "normal") call.normalGradient(features, d, xAt, outAt, nodes, noise, sigma);
    else call.logisticGradient(features, samples, d, xAt, outAt, nodes, noise, sigma, regulariser, 0);
  };
  return {
    features: view(featuresAt, featureCount),
    targets: view(targetsAt, targetCount),
    gradient(x, out, first, count, noise) {
      for (let done = 0; done < count; done += batch) {
        const nodes = Math.min(batch, count - done);
        const from = done * d;
        const size = nodes * d;
        view(xAt, size).set(x.length === size ? x : x.subarray(from, from + size));
        const skip = noise.sigma === 0 ? 0 : drawNoise(kernels, noiseAt, (first + done) * d, size, noise);
        one(nodes, first + done - base, noiseAt + 8 * skip, noise.sigma);
        out.set(view(outAt, size), from);
      }
    },
    losses(x, out) {
      view(xAt, d).set(x);
      for (let done = 0; done < n; done += batch) {
        const nodes = Math.min(batch, n - done);
        call.logisticLoss(featuresAt + 8 * done * samples * d, samples, d, xAt, outAt, nodes, 0);
        out.set(view(outAt, nodes), done);
      }
    },
  };
}

/** Normals from `offset` on, in the instance's own memory; returns how many numbers after `at` they begin. */
function drawNoise({ call }: Kernels, at: number, offset: number, count: number, { seed, t }: Noise): number {
  const skip = offset % 4;
  const groups = Math.ceil((skip + count) / 16);
  const index = Math.floor(offset / 4) | 0;
  call.fillNormal(at, groups, index, seed | 0, high32(seed), streams.gradientNoise, t | 0, high32(t));
  return skip;
}

/** a . x = (sum over even j) + (sum over odd j); the last j of an odd d is even. */
export function dot(a: ArrayLike<number>, at: number, x: ArrayLike<number>, from: number, d: number): number {
  let even = 0;
  let odd = 0;
  for (let j = 0; j + 1 < d; j += 2) {
    even += a[at + j] * x[from + j];
    odd += a[at + j + 1] * x[from + j + 1];
  }
  if (d % 2 === 1) even += a[at + d - 1] * x[from + d - 1];
  return even + odd;
}
