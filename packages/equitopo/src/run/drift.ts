/**
 * How far mixing alone moves the mean of the rows: the norm of the sum, over all exchanges, of (mean of W x) - (mean of x).
 * It is 0 up to rounding if W is doubly stochastic. If only the rows of W sum to 1, it is the part of a run's error that no
 * gradient caused.
 */

import { norm } from "../number/vectors.ts";
import { meanRow } from "../round/distance.ts";
import type { Rows } from "../round/round.ts";

export type Drift = ReturnType<typeof driftOf>;

export function driftOf(n: number, d: number) {
  const sum = new Float64Array(d);
  return {
    /** Mixes by `mix` and adds the change of the mean. Rows of another width than the models' do not count. */
    over(x: Rows, mix: (x: Rows) => Rows | Promise<Rows>): Rows | Promise<Rows> {
      if (x.length !== n * d) return mix(x);
      const before = meanRow(x, n);
      const count = (mixed: Rows) => {
        const after = meanRow(mixed, n);
        for (let k = 0; k < d; k++) sum[k] += after[k] - before[k];
        return mixed;
      };
      const mixed = mix(x);
      return mixed instanceof Promise ? mixed.then(count) : count(mixed);
    },

    get distance(): number {
      return norm(sum);
    },

    /** What a checkpoint must hold of it. */
    state: (): Record<string, Float64Array> => ({ sum: sum.slice() }),

    restore: ({ sum: saved }: Readonly<Record<string, Float64Array>>): void => sum.set(saved),
  };
}
