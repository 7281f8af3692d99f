/**
 * A matrix game that grows by rows: the least t with  sum_j a_ij w_j <= t  for every row i, over weights w >= 0 of sum 1.
 *
 * With a' = a + 2 > 0 and x = w / (t + 2) it is the linear program  max sum x,  A' x <= 1,  x >= 0,  kept as a dictionary
 * (basic variables in terms of the others). The first rows are brought to the optimum by the primal simplex method, every
 * later one by the dual method from where it stood. A pivot costs rows x columns; |a_ij| <= 1.
 */

/** Shares and gains below this are 0. */
const TINY = 1e-12;
/** Entries below this are no pivots; of several with the same ratio, to this difference, the largest is taken. */
const PIVOT = 1e-9;
const TIE = 1e-12;
/** What a row may be short of before it counts as violated. */
const SHORT = 1e-13;
const MOST_PIVOTS = 1000;

export class Game {
  readonly columns: number;
  /** Rows that are kept at most; those far from tight are dropped first. */
  readonly most: number;
  /** Per row: the coefficients of the nonbasic variables, then the constant. */
  readonly #table: Float64Array;
  /** The objective's coefficients of the nonbasic variables, then its value, sum x. */
  readonly #goal: Float64Array;
  /** Variable j < columns is x_j; above are the slacks, numbered by their row's label. */
  readonly #basic: Int32Array;
  readonly #free: Int32Array;
  #rows = 0;
  #solved = false;

  constructor(columns: number) {
    this.columns = columns;
    this.most = 6 * columns + 40;
    this.#table = new Float64Array(this.most * (columns + 1));
    this.#goal = new Float64Array(columns + 1);
    this.#basic = new Int32Array(this.most);
    this.#free = new Int32Array(columns);
    this.clear();
  }

  /** Forgets all rows. */
  clear(): void {
    this.#rows = 0;
    this.#solved = false;
    for (let q = 0; q < this.columns; q++) {
      this.#free[q] = q;
      this.#goal[q] = 1;
    }
    this.#goal[this.columns] = 0;
  }

  /** A new row a, known by a label >= 0 of the caller's. */
  add(a: ArrayLike<number>, label: number): void {
    if (this.#rows === this.most) this.#drop();
    const { columns } = this;
    const width = columns + 1;
    const table = this.#table;
    const at = this.#rows * width;
    table.fill(0, at, at + width);
    table[at + columns] = 1;
    for (let q = 0; q < columns; q++) {
      const variable = this.#free[q];
      if (variable < columns) table[at + q] += a[variable] + 2;
    }
    for (let r = 0; r < this.#rows; r++) {
      const variable = this.#basic[r];
      if (variable >= columns) continue;
      const factor = a[variable] + 2;
      for (let q = 0; q < width; q++) table[at + q] -= factor * table[r * width + q];
    }
    this.#basic[this.#rows++] = columns + label;
  }

  /** Brings the dictionary to the optimum; false where rounding stopped it (start again from no rows). */
  solve(): boolean {
    const done = this.#solved ? this.#dual() : this.#primal();
    this.#solved = done;
    return done;
  }

  /** How far rounding has carried the mixture of rows from sum 1. */
  drift(): number {
    let sum = 0;
    this.forEachMultiplier((_label, share) => {
      sum += share;
    });
    return Math.abs(sum - 1);
  }

  /** t, a lower bound of the full game as long as rows are missing. */
  value(): number {
    return 1 / this.#goal[this.columns] - 2;
  }

  /** Writes w. */
  weights(out: Float64Array): void {
    const { columns } = this;
    out.fill(0, 0, columns);
    for (let r = 0; r < this.#rows; r++) {
      const variable = this.#basic[r];
      if (variable < columns) out[variable] = Math.max(0, this.#table[r * (columns + 1) + columns]);
    }
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += out[j];
    for (let j = 0; j < columns; j++) out[j] /= sum;
  }

  /** The optimal mixture of rows, as (label, share): those that hold the value up. */
  forEachMultiplier(visit: (label: number, share: number) => void): void {
    const { columns } = this;
    for (let q = 0; this.#solved && q < columns; q++) {
      const share = -this.#goal[q] / this.#goal[columns];
      if (this.#free[q] >= columns && share > TINY) visit(this.#free[q] - columns, share);
    }
  }

  #primal(): boolean {
    const { columns } = this;
    const width = columns + 1;
    for (let pivots = 0; pivots < MOST_PIVOTS; pivots++) {
      let q = -1;
      for (let c = 0, best = TINY; c < columns; c++) {
        if (this.#goal[c] > best) {
          best = this.#goal[c];
          q = c;
        }
      }
      if (q < 0) return true;
      let row = -1;
      let pivot = 0;
      for (let r = 0, best = Number.POSITIVE_INFINITY; r < this.#rows; r++) {
        const slope = this.#table[r * width + q];
        if (slope <= PIVOT) continue;
        const ratio = this.#table[r * width + columns] / slope;
        if (ratio < best - TIE || (ratio < best + TIE && slope > pivot)) {
          best = Math.min(best, ratio);
          pivot = slope;
          row = r;
        }
      }
      if (row < 0) return false;
      this.#pivot(row, q);
    }
    return false;
  }

  #dual(): boolean {
    const { columns } = this;
    const width = columns + 1;
    for (let pivots = 0; pivots < MOST_PIVOTS; pivots++) {
      let row = -1;
      for (let r = 0, worst = -SHORT; r < this.#rows; r++) {
        if (this.#table[r * width + columns] < worst) {
          worst = this.#table[r * width + columns];
          row = r;
        }
      }
      if (row < 0) return true;
      let q = -1;
      let pivot = 0;
      for (let c = 0, best = Number.POSITIVE_INFINITY; c < columns; c++) {
        const slope = -this.#table[row * width + c];
        if (slope <= PIVOT) continue;
        const ratio = -this.#goal[c] / slope;
        if (ratio < best - TIE || (ratio < best + TIE && slope > pivot)) {
          best = Math.min(best, ratio);
          pivot = slope;
          q = c;
        }
      }
      if (q < 0) return false;
      this.#pivot(row, q);
    }
    return false;
  }

  /** Exchanges the basic variable of a row with the nonbasic one of column q. */
  #pivot(row: number, q: number): void {
    const width = this.columns + 1;
    const table = this.#table;
    const from = row * width;
    const inverse = 1 / table[from + q];
    for (let c = 0; c < width; c++) table[from + c] *= inverse;
    table[from + q] = inverse;
    for (let r = 0; r < this.#rows; r++) {
      if (r === row) continue;
      const at = r * width;
      const factor = table[at + q];
      if (factor === 0) continue;
      for (let c = 0; c < width; c++) table[at + c] -= factor * table[from + c];
      table[at + q] = -factor * inverse;
    }
    const goal = this.#goal;
    const factor = goal[q];
    for (let c = 0; c < width - 1; c++) goal[c] -= factor * table[from + c];
    goal[width - 1] += factor * table[from + width - 1];
    goal[q] = -factor * inverse;
    const leaving = this.#basic[row];
    this.#basic[row] = this.#free[q];
    this.#free[q] = leaving;
  }

  /** Drops the half of the rows that hold nothing and are farthest from tight. */
  #drop(): void {
    const width = this.columns + 1;
    const slack = (r: number) => this.#table[r * width + this.columns];
    const idle = [];
    for (let r = 0; r < this.#rows; r++) if (this.#basic[r] >= this.columns) idle.push(r);
    idle.sort((a, b) => slack(b) - slack(a));
    const gone = new Set(idle.slice(0, Math.ceil(idle.length / 2)));
    let kept = 0;
    for (let r = 0; r < this.#rows; r++) {
      if (gone.has(r)) continue;
      this.#table.copyWithin(kept * width, r * width, (r + 1) * width);
      this.#basic[kept++] = this.#basic[r];
    }
    this.#rows = kept;
  }
}
