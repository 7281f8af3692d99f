/** A problem of your own: a dimension and the gradient function of one node. */

import { integer, onlyKeys } from "../input/input.ts";
import { meanRow } from "../round/distance.ts";
import type { Rows } from "../round/round.ts";
import type { Problem } from "./problem.ts";
import { distanceTo } from "./spread.ts";

export interface CustomProblemOptions {
  readonly name?: string;
  readonly n: number;
  readonly d: number;
  /**
   * Writes node i's gradient at its model x (d numbers) in iteration t. Noise must be a function of (i, t), for example
   * from fillNormal with t as the round and i d as the offset, so that a real peer draws what the simulator draws.
   */
  gradient(x: Rows, i: number, t: number, out: Rows): void;
  /** The start of every node; zeros if left out. */
  readonly start?: Rows;
  /** f at one model, recorded at the mean as `loss`. */
  loss?(x: Float64Array): number;
  /** More to record, from all n rows. */
  metrics?(x: Rows): Readonly<Record<string, number>>;
}

/**
 * A Problem from a gradient of one node. Recorded: consensusDistance = ||X - 1 mean^T||_F, loss, and your own metrics.
 *
 * @example
 * ```ts
 * import { customProblem } from "equitopo";
 * // f_i(x) = 1/2 (x - i)^2: the minimiser of f is the mean of the labels.
 * const problem = customProblem({
 *   n: 3,
 *   d: 1,
 *   gradient: (x, i, _t, out) => {
 *     out[0] = x[0] - i;
 *   },
 * });
 * const g = new Float64Array(3);
 * problem.gradient(Float64Array.of(1, 1, 1), 0, g, 0, 3);
 * g.join(" ") // => "1 0 -1"
 * ```
 */
export function customProblem(options: CustomProblemOptions): Problem {
  onlyKeys("a problem", options, ["name", "n", "d", "gradient", "start", "loss", "metrics"]);
  const n = integer("n", options.n, 1);
  const d = integer("d", options.d, 1);
  return {
    name: options.name ?? "custom",
    n,
    d,
    ...(options.start === undefined ? {} : { start: options.start }),
    gradient(x, t, out, first, count) {
      for (let k = 0; k < count; k++) {
        options.gradient(x.subarray(k * d, (k + 1) * d), first + k, t, out.subarray(k * d, (k + 1) * d));
      }
    },
    metrics(x) {
      const mean = meanRow(x, x.length / d);
      return {
        consensusDistance: distanceTo(x, mean),
        ...(options.loss === undefined ? {} : { loss: options.loss(mean) }),
        ...options.metrics?.(x),
      };
    },
  };
}
