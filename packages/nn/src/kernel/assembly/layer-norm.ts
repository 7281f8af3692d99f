/**
 * Layer normalisation without a shift: y = z gain, z = (x - mean) / sqrt(variance + epsilon), both over the channels of a
 * row; channels a multiple of four. `moments` takes mean and 1 / sqrt(variance + epsilon) of every row for the gradient.
 */
import { sumLanes } from "./exponential";

export function layerNorm(
  x: usize, gain: usize, epsilon: f32, rows: i32, channels: i32, moments: usize, y: usize,
): void {
  const step = <usize>channels << 2;
  const share = <f32>1 / <f32>channels;
  for (let i: i32 = 0; i < rows; i++) {
    let sum = f32x4.splat(0);
    for (let j: usize = 0; j < step; j += 16) sum = f32x4.add(sum, v128.load(x + j));
    const mean = sumLanes(sum) * share;
    const centre = f32x4.splat(mean);
    sum = f32x4.splat(0);
    for (let j: usize = 0; j < step; j += 16) {
      const d = f32x4.sub(v128.load(x + j), centre);
      sum = f32x4.add(sum, f32x4.mul(d, d));
    }
    const inverse = <f32>1 / sqrt<f32>(sumLanes(sum) * share + epsilon);
    const scale = f32x4.splat(inverse);
    for (let j: usize = 0; j < step; j += 16) {
      const z = f32x4.mul(f32x4.sub(v128.load(x + j), centre), scale);
      v128.store(y + j, f32x4.mul(z, v128.load(gain + j)));
    }
    store<f32>(moments, mean);
    store<f32>(moments, inverse, 4);
    x += step; y += step; moments += 8;
  }
}

/** With g = dy gain: dx = (g - mean of g - z mean of g z) / sqrt(variance + epsilon); dgain = sum of dy z, overwritten. */
export function layerNormGradient(
  x: usize, dy: usize, gain: usize, moments: usize, rows: i32, channels: i32, dx: usize, dgain: usize,
): void {
  const step = <usize>channels << 2;
  const share = <f32>1 / <f32>channels;
  memory.fill(dgain, 0, step);
  for (let i: i32 = 0; i < rows; i++) {
    const centre = v128.load32_splat(moments), scale = v128.load32_splat(moments, 4);
    let sum = f32x4.splat(0), product = f32x4.splat(0);
    for (let j: usize = 0; j < step; j += 16) {
      const d = v128.load(dy + j);
      const z = f32x4.mul(f32x4.sub(v128.load(x + j), centre), scale);
      const g = f32x4.mul(d, v128.load(gain + j));
      sum = f32x4.add(sum, g);
      product = f32x4.add(product, f32x4.mul(g, z));
      v128.store(dgain + j, f32x4.add(v128.load(dgain + j), f32x4.mul(d, z)));
    }
    if (dx) {
      const mean = f32x4.splat(sumLanes(sum) * share), along = f32x4.splat(sumLanes(product) * share);
      for (let j: usize = 0; j < step; j += 16) {
        const z = f32x4.mul(f32x4.sub(v128.load(x + j), centre), scale);
        const g = f32x4.mul(v128.load(dy + j), v128.load(gain + j));
        v128.store(dx + j, f32x4.mul(scale, f32x4.sub(f32x4.sub(g, mean), f32x4.mul(z, along))));
      }
      dx += step;
    }
    x += step; dy += step; moments += 8;
  }
}
