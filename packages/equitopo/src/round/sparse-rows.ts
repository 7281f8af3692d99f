/** A sparse round put together row by row: the edges into node 0 in the order of additions, then those into node 1, ... */

import type { SparseRound } from "./round.ts";

export class SparseRows {
  readonly #start: Int32Array;
  readonly #from: number[] = [];
  readonly #weights: number[] = [];
  #row = 0;

  constructor(n: number) {
    this.#start = new Int32Array(n + 1);
  }

  get edges(): number {
    return this.#from.length;
  }

  /** One more edge into the present node. */
  add(from: number, weight: number): void {
    this.#from.push(from);
    this.#weights.push(weight);
  }

  /** The present node has all its edges: the next one follows. */
  endRow(): void {
    this.#start[++this.#row] = this.#from.length;
  }

  round(self: Float64Array): SparseRound {
    const [from, weights] = [new Int32Array(this.#from), new Float64Array(this.#weights)];
    return { kind: "sparse", n: self.length, self, start: this.#start, from, weights };
  }
}
