/**
 * How far mixing alone moves the mean of what is mixed: the norm of the sum, over all exchanges, of
 * (mean of W x) - (mean of x). 0 but for rounding where W is doubly stochastic; where only its rows sum to 1 it is the part
 * of a run's error that no gradient brought about.
 */

import { meanRow } from "../round/distance.ts";
import type { Rows } from "../round/round.ts";

export class Drift {
  readonly #n: number;
  readonly #sum: Float64Array;

  constructor(n: number, d: number) {
    this.#n = n;
    this.#sum = new Float64Array(d);
  }

  /** Mixes by `mix`, and adds what that did to the mean, once it is there. Rows of another width than the models' do not count. */
  over(x: Rows, mix: (x: Rows) => Rows | Promise<Rows>): Rows | Promise<Rows> {
    if (x.length !== this.#n * this.#sum.length) return mix(x);
    const before = meanRow(x, this.#n);
    const count = (mixed: Rows) => {
      const after = meanRow(mixed, this.#n);
      for (let k = 0; k < before.length; k++) this.#sum[k] += after[k] - before[k];
      return mixed;
    };
    const mixed = mix(x);
    return mixed instanceof Promise ? mixed.then(count) : count(mixed);
  }

  get distance(): number {
    return Math.sqrt(this.#sum.reduce((sum, value) => sum + value * value, 0));
  }

  /** What it must keep to go on. */
  state(): Record<string, Float64Array> {
    return { sum: this.#sum.slice() };
  }

  restore({ sum }: Readonly<Record<string, Float64Array>>): void {
    this.#sum.set(sum);
  }
}
