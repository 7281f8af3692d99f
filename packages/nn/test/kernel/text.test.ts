/** The kernels of texts: exact functions at many places, rows without a label, and nothing written elsewhere. */

import { expect, it } from "vitest";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import { normalDistribution } from "../model/reference.ts";

const { call, memory } = createNnKernels(1 << 16);
const all = new Float32Array(memory.buffer);

it("gelu and its slope are right everywhere", () => {
  const count = 2403;
  const [x, y, dy] = [4, 4000, 8000].map((from) => all.subarray(from, from + count));
  x.forEach((_, k) => {
    x[k] = (k - 1201) / 100;
    dy[k] = 1;
  });
  all[4000 + count] = 7;
  call.gelu(16, 16000, count);
  for (let k = 0; k < count; k++) expect(Math.abs(y[k] - x[k] * normalDistribution(x[k]))).toBeLessThan(1.5e-6);
  call.geluGradient(16, 32000, 16000, count);
  for (let k = 0; k < count; k++) {
    const slope = normalDistribution(x[k]) + (x[k] * Math.exp(-0.5 * x[k] ** 2)) / Math.sqrt(2 * Math.PI);
    expect(Math.abs(y[k] - slope)).toBeLessThan(1e-6);
  }
  expect(all[4000 + count]).toBe(7);
});

it.each([1, 3, 4, 65, 67])("the loss of %i classes, with rows that have no label", (classes) => {
  const [rows, pitch] = [5, Math.ceil(classes / 4) * 4];
  const scores = all.subarray(16, 16 + rows * pitch).fill(0);
  const gradient = all.subarray(4000, 4000 + rows * pitch).fill(9);
  const labels = new Int32Array(memory.buffer, 32000, rows);
  for (let i = 0; i < rows; i++) {
    labels[i] = i === 2 ? -1 : (7 * i) % classes;
    for (let c = 0; c < classes; c++) scores[i * pitch + c] = ((i * 31 + c * 17) % 23) - 40 * (i % 2);
  }
  let loss = 0;
  const expected = Array.from({ length: rows }, (_, i) => {
    const row = [...scores.subarray(i * pitch, i * pitch + classes)];
    const top = Math.max(...row);
    const sum = row.reduce((total, v) => total + Math.exp(v - top), 0);
    if (labels[i] < 0) return new Array<number>(pitch).fill(0);
    loss += top + Math.log(sum) - row[labels[i]];
    return Array.from({ length: pitch }, (_, c) =>
      c < classes ? 0.5 * (Math.exp(row[c] - top) / sum - (c === labels[i] ? 1 : 0)) : 0,
    );
  }).flat();
  expect(call.tokenLoss(64, pitch, rows, classes, 32000, 0.5, 16000)).toBeCloseTo(loss, 5);
  for (let k = 0; k < expected.length; k++) expect(gradient[k]).toBeCloseTo(expected[k], 6);
  expect(call.tokenLoss(64, pitch, rows, classes, 32000, 0.5, 0)).toBeCloseTo(loss, 5);
  scores[0] = Number.NaN;
  expect(call.tokenLoss(64, pitch, rows, classes, 32000, 0.5, 0)).toBeNaN();
});
