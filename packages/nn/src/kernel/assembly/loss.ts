/**
 * Softmax and cross-entropy in double precision: the sums are short, and exp and ln come from additions and
 * multiplications alone, the same in every engine.
 */

/** e^x: x = k ln 2 + r, |r| <= ln(2)/2, and the series of e^r. */
function exp(x: f64): f64 {
  if (x < -708) return 0;
  if (!(x < 709)) return x != x ? x : Infinity;
  const k = floor(x * 1.4426950408889634 + 0.5);
  const r = x - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
  let sum: f64 = 1;
  for (let i: f64 = 13; i > 0; i -= 1) sum = 1 + (r / i) * sum;
  return sum * reinterpret<f64>((<i64>k + 1023) << 52);
}

/** ln x for a positive normal number (elementary.ts line for line). */
export function log(x: f64): f64 {
  const bits = reinterpret<i64>(x);
  let exponent = <f64>((bits >> 52) - 1023);
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    exponent += 1;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  let tail: f64 = 0.14798198605116586;
  tail = 0.15313837699209373 + z * tail;
  tail = 0.1818357216161805 + z * tail;
  tail = 0.22222198432149784 + z * tail;
  tail = 0.2857142874366239 + z * tail;
  tail = 0.3999999999940942 + z * tail;
  tail = 0.6666666666666735 + z * tail;
  tail = z * tail;
  const half = 0.5 * f * f;
  return exponent * 0.6931471805599453 + (f - (half - s * (half + tail)));
}

/** ln sum e^z over `count` numbers `step` bytes apart. */
function logSumExp(z: usize, step: usize, count: i32): f64 {
  let top = <f64>load<f32>(z);
  for (let i: i32 = 1; i < count; i++) top = max(top, <f64>load<f32>(z + <usize>i * step));
  let sum: f64 = 0;
  for (let i: i32 = 0; i < count; i++) sum += exp(<f64>load<f32>(z + <usize>i * step) - top);
  return sum == sum ? top + log(sum) : sum;
}

/**
 * The mean over the batch of -log softmax[label], and its gradient:
 *   over the classes:  (softmax - [label = c]) / batch,
 *   over the batch:    (count_c softmax - [label = c]) / batch,  count_c = how often label c occurs in the batch.
 * labels: 32-bit integers in [0, classes). gradient: rows of `pitch`, the rest of each row set to zero; 0 for the loss alone.
 */
export function crossEntropy(
  logits: usize, pitch: i32, batch: i32, classes: i32, labels: usize, overBatch: bool, gradient: usize,
): f64 {
  const row = <usize>pitch << 2;
  const share = 1 / <f64>batch;
  let loss: f64 = 0;
  if (gradient) memory.fill(gradient, 0, <usize>batch * row);
  const lines = overBatch ? classes : batch;
  for (let l: i32 = 0; l < lines; l++) {
    const at = overBatch ? <usize>l << 2 : <usize>l * row;
    const step: usize = overBatch ? row : 4;
    const count = overBatch ? batch : classes;
    const norm = logSumExp(logits + at, step, count);
    let hits: i32 = 1;
    if (overBatch) {
      hits = 0;
      for (let i: i32 = 0; i < batch; i++) hits += <i32>(load<i32>(labels + (<usize>i << 2)) == l);
    }
    for (let i: i32 = 0; i < count; i++) {
      const hit = overBatch ? load<i32>(labels + (<usize>i << 2)) == l : load<i32>(labels + (<usize>l << 2)) == i;
      const p = at + <usize>i * step;
      const value = <f64>load<f32>(logits + p) - norm;
      if (hit) loss -= value;
      if (gradient) store<f32>(gradient + p, <f32>(share * (<f64>hits * exp(value) - (hit ? 1.0 : 0.0))));
    }
  }
  return loss * share;
}
