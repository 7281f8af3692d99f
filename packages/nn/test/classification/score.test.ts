/** Accuracy and loss of class scores against a plain softmax. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { score } from "../../src/model/score.ts";

it("scores as a plain softmax does, over classes and over the batch", () => {
  const numbers = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(numbers, fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }), (values, classes) => {
      const logits = Float32Array.from(values);
      const labels = Int32Array.from(classes);
      const over = (n: number, c: number, batch: boolean) => {
        const others = batch ? [0, 1].map((m) => logits[(n - (n % 2) + m) * 3 + c]) : logits.slice(n * 3, n * 3 + 3);
        return logits[n * 3 + c] - Math.log([...others].reduce((sum, z) => sum + Math.exp(z), 0));
      };
      for (const batch of [false, true]) {
        const { accuracy, loss } = score(logits, labels, 3, batch ? "batch" : "classes", 2);
        const rows = [0, 1, 2, 3].map((n) => [0, 1, 2].map((c) => over(n, c, batch)));
        const expected = rows.reduce((sum, row, n) => sum - row[labels[n]], 0) / 4;
        expect(loss).toBeCloseTo(expected, 9);
        const right = rows.filter((row, n) => row[labels[n]] === Math.max(...row)).length;
        expect(Math.abs(accuracy * 4 - right)).toBeLessThanOrEqual(ties(rows));
      }
    }),
  );
});

/** Rows whose best two scores are too near to call. */
function ties(rows: readonly number[][]): number {
  return rows.filter((row) => {
    const [first, second] = [...row].sort((a, b) => b - a);
    return first - second < 1e-9;
  }).length;
}
