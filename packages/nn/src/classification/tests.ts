/** Which test images a node tries. */

import { dealtSchedule } from "../data/schedule.ts";

/** Test images of a node's part, which is also the batch of a softmax over the batch. */
export const partSize = (tests: number, n: number) => Math.ceil(tests / n);

export function testPart(tests: number, size: number, i: number): Int32Array {
  const from = Math.min(tests, i * size);
  return Int32Array.from({ length: Math.min(size, tests - from) }, (_, k) => from + k);
}

/** The images of a node's share of the test set, one image more than fits evenly where it must: as run. */
export const testShare = (tests: number, n: number, seed: number, node: number): Int32Array =>
  dealtSchedule({ count: tests, n, batch: partSize(tests, n), seed }).indices(0, 0, node);
