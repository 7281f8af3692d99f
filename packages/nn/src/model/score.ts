/**
 * Accuracy and mean loss of class scores. With a softmax over the batch (as the paper's code ran) the scores of a class
 * are compared within their batch first: log p_nc = z_nc - log sum over the batch's m of exp z_mc.
 */

import { exp, log } from "equitopo/number";
/** Along which axis the softmax of the loss runs: over the classes, or (as the paper's code did) over the batch. */
export type SoftmaxAxis = "classes" | "batch";

export interface Score {
  /** A fraction of all images. */
  readonly accuracy: number;
  readonly loss: number;
}

/** `logits` holds a row of class scores for every label; `group` is the batch of a softmax over the batch. */
export function score(logits: Float32Array, labels: Int32Array, classes: number, softmax: SoftmaxAxis, group: number) {
  const count = labels.length;
  const sums = { right: 0, loss: 0 };
  for (let from = 0; from < count; from += group) {
    const to = Math.min(count, from + group);
    const part = scoreGroup(logits.subarray(from * classes, to * classes), labels.subarray(from, to), classes, softmax);
    sums.right += part.right;
    sums.loss += part.loss;
  }
  return { accuracy: sums.right / count, loss: sums.loss / count };
}

/** How many of one batch are right (scores that are not numbers are nobody's), and the sum of their losses. */
export function scoreGroup(logits: Float32Array, labels: Int32Array, classes: number, softmax: SoftmaxAxis) {
  const count = labels.length;
  const scores = Float64Array.from(logits.subarray(0, count * classes));
  if (softmax === "batch") {
    for (let c = 0; c < classes; c++) {
      const sum = logSumExp(scores, c, count * classes + c, classes);
      for (let n = 0; n < count; n++) scores[n * classes + c] -= sum;
    }
  }
  let right = 0;
  let loss = 0;
  for (let n = 0, row = 0; n < count; n++, row += classes) {
    let best = 0;
    for (let c = 1; c < classes; c++) if (scores[row + c] > scores[row + best]) best = c;
    if (best === labels[n] && !Number.isNaN(scores[row + best])) right++;
    const sum = softmax === "batch" ? 0 : logSumExp(scores, row, row + classes, 1);
    loss += sum - scores[row + labels[n]];
  }
  return { right, loss };
}

function logSumExp(values: Float64Array, from: number, to: number, step: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = from; k < to; k += step) most = Math.max(most, values[k]);
  let sum = 0;
  for (let k = from; k < to; k += step) sum += exp(values[k] - most);
  return most + log(sum);
}
