/**
 * y = x Phi(x), Phi the normal distribution function, and its gradient Phi(x) + x phi(x). With z = |x| / sqrt(2) and
 * t = 1 / (1 + p z), Phi(-|x|) = (a1 t + ... + a5 t^5) e^(-z^2) / 2 (Abramowitz and Stegun 7.1.26, off by 0.75e-7 at most).
 */
import { exp4 } from "./exponential";
import { loadLanes, storeLanes } from "./rows";

@inline
function gaussian(x: v128): v128 {
  return exp4(f32x4.mul(f32x4.mul(x, x), f32x4.splat(-0.5)));
}

/** Phi(x), `bell` being e^(-x^2 / 2). */
@inline
function distribution(x: v128, bell: v128): v128 {
  const one = f32x4.splat(1);
  const t = f32x4.div(one, f32x4.add(one, f32x4.mul(f32x4.abs(x), f32x4.splat(0.23164190)))); // p / sqrt(2)
  let sum = f32x4.splat(1.061405429);
  sum = f32x4.add(f32x4.mul(sum, t), f32x4.splat(-1.453152027));
  sum = f32x4.add(f32x4.mul(sum, t), f32x4.splat(1.421413741));
  sum = f32x4.add(f32x4.mul(sum, t), f32x4.splat(-0.284496736));
  sum = f32x4.add(f32x4.mul(sum, t), f32x4.splat(0.254829592));
  const below = f32x4.mul(f32x4.mul(f32x4.mul(sum, t), f32x4.splat(0.5)), bell);
  return v128.bitselect(below, f32x4.sub(one, below), f32x4.lt(x, f32x4.splat(0)));
}

@inline
function value(x: v128): v128 {
  return f32x4.mul(x, distribution(x, gaussian(x)));
}

@inline
function slope(x: v128): v128 {
  const bell = gaussian(x);
  return f32x4.add(distribution(x, bell), f32x4.mul(x, f32x4.mul(bell, f32x4.splat(0.39894228)))); // 1 / sqrt(2 pi)
}

export function gelu(x: usize, y: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    v128.store(y, value(v128.load(x)));
    x += 16; y += 16;
  }
  if (count > 0) storeLanes(y, value(loadLanes(x, count)), count);
}

export function geluGradient(x: usize, dy: usize, dx: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    v128.store(dx, f32x4.mul(v128.load(dy), slope(v128.load(x))));
    x += 16; dy += 16; dx += 16;
  }
  if (count > 0) storeLanes(dx, f32x4.mul(loadLanes(dy, count), slope(loadLanes(x, count))), count);
}
