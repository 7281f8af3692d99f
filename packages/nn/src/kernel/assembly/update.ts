/** Updates of flat vectors. */
import { loadLanes, storeLanes } from "./rows";

/** y = a x + b y. */
export function axpby(a: f32, x: usize, b: f32, y: usize, count: i32): void {
  const p = f32x4.splat(a), q = f32x4.splat(b);
  for (; count >= 4; count -= 4) {
    v128.store(y, f32x4.add(f32x4.mul(p, v128.load(x)), f32x4.mul(q, v128.load(y))));
    x += 16; y += 16;
  }
  if (count > 0) storeLanes(y, f32x4.add(f32x4.mul(p, loadLanes(x, count)), f32x4.mul(q, loadLanes(y, count))), count);
}

/** v = momentum v + (g + decay x);  x = x - rate v. */
export function sgd(x: usize, g: usize, v: usize, count: i32, rate: f32, momentum: f32, decay: f32): void {
  const r = f32x4.splat(rate), m = f32x4.splat(momentum), d = f32x4.splat(decay);
  let i: i32 = 0;
  for (; i + 4 <= count; i += 4) {
    const at = v128.load(x);
    const step = f32x4.add(f32x4.mul(m, v128.load(v)), f32x4.add(v128.load(g), f32x4.mul(d, at)));
    v128.store(v, step);
    v128.store(x, f32x4.sub(at, f32x4.mul(r, step)));
    x += 16; g += 16; v += 16;
  }
  for (; i < count; i++) {
    const at = load<f32>(x);
    const step = momentum * load<f32>(v) + (load<f32>(g) + decay * at);
    store<f32>(v, step);
    store<f32>(x, at - rate * step);
    x += 4; g += 4; v += 4;
  }
}
