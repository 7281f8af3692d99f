/**
 * Batch normalisation, channels in lanes: y = (x - mean) gamma / sqrt(variance + epsilon) + beta over all pixels of all
 * images, and its gradient. mean and variance are `pitch` numbers long, gamma and beta `channels`.
 */
import { loadLanes, storeLanes, sumColumn } from "./rows";

/** Mean and (biased) variance of every channel, in two passes. */
export function moments(x: usize, count: i32, pitch: i32, mean: usize, variance: usize): void {
  const step = <usize>pitch << 2;
  const share = f32x4.splat(1 / <f32>count);
  for (let j: usize = 0; j < step; j += 16) {
    const centre = f32x4.mul(sumColumn<u8>(x + j, count, step, share), share);
    v128.store(mean + j, centre);
    v128.store(variance + j, f32x4.mul(sumColumn<u16>(x + j, count, step, centre), share));
  }
}

export function normalise(
  x: usize, mean: usize, variance: usize, gamma: usize, beta: usize, epsilon: f32,
  count: i32, pitch: i32, channels: i32, y: usize, relu: bool,
): void {
  const step = <usize>pitch << 2;
  const floor = f32x4.splat(relu ? 0 : -Infinity);
  for (let j: usize = 0; j < step; j += 16) {
    const left = channels - <i32>(j >> 2);
    const centre = v128.load(mean + j);
    const spread = f32x4.sqrt(f32x4.add(v128.load(variance + j), f32x4.splat(epsilon)));
    const scale = f32x4.div(loadLanes(gamma + j, left), spread);
    const shift = loadLanes(beta + j, left);
    let p = x + j, q = y + j;
    for (let i: i32 = 0; i < count; i++) {
      const v = f32x4.add(f32x4.mul(f32x4.sub(v128.load(p), centre), scale), shift);
      v128.store(q, f32x4.pmax(v, floor));
      p += step; q += step;
    }
  }
}

/**
 * With g = dy (where y > 0, after ReLU) and z = (x - mean) / sqrt(variance + epsilon), over m pixels:
 *   dbeta = sum g,   dgamma = sum g z,   dx = gamma / sqrt(variance + epsilon) (g - dbeta / m - z dgamma / m).
 * dgamma and dbeta are overwritten.
 */
export function normaliseGradient(
  x: usize, y: usize, dy: usize, mean: usize, variance: usize, gamma: usize, epsilon: f32,
  count: i32, pitch: i32, channels: i32, dx: usize, dgamma: usize, dbeta: usize, relu: bool,
): void {
  const step = <usize>pitch << 2;
  const zero = f32x4.splat(0);
  const share = f32x4.splat(1 / <f32>count);
  const always = f32x4.eq(zero, zero);
  for (let j: usize = 0; j < step; j += 16) {
    const left = channels - <i32>(j >> 2);
    const centre = v128.load(mean + j);
    const spread = f32x4.sqrt(f32x4.add(v128.load(variance + j), f32x4.splat(epsilon)));
    const inverse = f32x4.div(f32x4.splat(1), spread);
    let total = zero, product = zero;
    let p = x + j, q = y + j, r = dy + j;
    for (let i: i32 = 0; i < count; ) {
      const end = min(count, i + 32);
      let sum = zero, inner = zero;
      for (; i < end; i++) {
        const g = v128.and(v128.load(r), relu ? f32x4.gt(v128.load(q), zero) : always);
        sum = f32x4.add(sum, g);
        inner = f32x4.add(inner, f32x4.mul(g, f32x4.mul(f32x4.sub(v128.load(p), centre), inverse)));
        p += step; q += step; r += step;
      }
      total = f32x4.add(total, sum);
      product = f32x4.add(product, inner);
    }
    storeLanes(dbeta + j, total, left);
    storeLanes(dgamma + j, product, left);
    total = f32x4.mul(total, share);
    product = f32x4.mul(product, share);
    const scale = f32x4.mul(loadLanes(gamma + j, left), inverse);
    p = x + j; q = y + j; r = dy + j;
    let out = dx + j;
    for (let i: i32 = 0; i < count; i++) {
      const g = v128.and(v128.load(r), relu ? f32x4.gt(v128.load(q), zero) : always);
      const z = f32x4.mul(f32x4.sub(v128.load(p), centre), inverse);
      v128.store(out, f32x4.mul(scale, f32x4.sub(f32x4.sub(g, total), f32x4.mul(z, product))));
      p += step; q += step; r += step; out += step;
    }
  }
}
