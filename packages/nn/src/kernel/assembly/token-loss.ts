/**
 * The cross-entropy of many rows of scores, each with its own label, over the classes: sum of -log softmax[label], and its
 * gradient share (softmax - [label = c]). In single precision but for the sum: rows are many. A label below 0 is no label:
 * its row adds nothing and its gradient is zero. Rows of `pitch` numbers; gradient = 0 for the loss alone.
 */
import { exp4, firstLanes, maxLanes, sumLanes } from "./exponential";
import { log } from "./loss";

export function tokenLoss(
  scores: usize, pitch: i32, rows: i32, classes: i32, labels: usize, share: f32, gradient: usize,
): f64 {
  const row = <usize>pitch << 2;
  let loss: f64 = 0;
  for (let i: i32 = 0; i < rows; i++) {
    const label = load<i32>(labels);
    if (label < 0) {
      if (gradient) memory.fill(gradient, 0, row);
    } else {
      let top = f32x4.splat(-Infinity);
      for (let c: i32 = 0; c < classes; c += 4) {
        top = f32x4.max(top, firstLanes(v128.load(scores + (<usize>c << 2)), classes - c, -Infinity));
      }
      const most = maxLanes(top), less = f32x4.splat(most);
      let sum = f32x4.splat(0);
      for (let c: i32 = 0; c < classes; c += 4) {
        const at = <usize>c << 2;
        const e = exp4(f32x4.sub(firstLanes(v128.load(scores + at), classes - c, -Infinity), less));
        if (gradient) v128.store(gradient + at, e);
        sum = f32x4.add(sum, e);
      }
      const total = sumLanes(sum);
      const place = <usize>label << 2;
      loss += total == total ? log(total) + <f64>most - <f64>load<f32>(scores + place) : total;
      if (gradient) {
        const by = f32x4.splat(share / total);
        for (let j: usize = 0; j < row; j += 16) v128.store(gradient + j, f32x4.mul(v128.load(gradient + j), by));
        store<f32>(gradient + place, load<f32>(gradient + place) - share);
      }
    }
    scores += row;
    labels += 4;
    if (gradient) gradient += row;
  }
  return loss;
}
