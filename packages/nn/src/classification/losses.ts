/**
 * Train losses of nodes, epoch by epoch. For every node: epoch, sum of losses and steps of the last even epoch, then of
 * the last odd one (trackers look ahead), and the last loss. The epoch is written down because a peer that comes back may
 * enter it in the middle.
 */

const WIDTH = 7;

export class EpochLosses {
  /** A row for each node, part of every checkpoint. */
  readonly rows: Float64Array;
  readonly #stepsPerEpoch: number;

  constructor(nodes: number, stepsPerEpoch: number) {
    this.rows = new Float64Array(nodes * WIDTH).fill(Number.NaN);
    this.#stepsPerEpoch = stepsPerEpoch;
  }

  /** Node k had this loss in iteration t. */
  add(k: number, t: number, loss: number): void {
    const epoch = Math.floor(t / this.#stepsPerEpoch);
    const slot = 3 * (epoch % 2);
    const kept = this.rows.subarray(k * WIDTH, (k + 1) * WIDTH);
    if (kept[slot] !== epoch) kept.set([epoch, 0, 0], slot);
    kept[slot + 1] += loss;
    kept[slot + 2]++;
    kept[WIDTH - 1] = loss;
  }

  /** Node k's sum and steps in the epoch that ended with so many updates; one that was away has nothing to add. */
  of(k: number, updates: number): { readonly sum: number; readonly steps: number } {
    const epoch = Math.max(0, Math.ceil(updates / this.#stepsPerEpoch) - 1);
    const slot = k * WIDTH + 3 * (epoch % 2);
    return this.rows[slot] === epoch ? { sum: this.rows[slot + 1], steps: this.rows[slot + 2] } : { sum: 0, steps: 0 };
  }

  /** Of the last step, summed over the nodes; not a number before the first. */
  lastSum(): number {
    let sum = 0;
    for (let at = WIDTH - 1; at < this.rows.length; at += WIDTH) sum += this.rows[at];
    return sum;
  }
}

/** The last loss of the first of these nodes; not a number before the first step. */
export const lastLoss = (rows: ArrayLike<number>): number => rows[WIDTH - 1];
