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

export function growingGame(columns: number) {
  /** Rows that are kept at most; those far from tight are dropped first. */
  const capacity = 6 * columns + 40;
  const width = columns + 1;
  /** Per row: the coefficients of the nonbasic variables, then the constant. */
  const table = new Float64Array(capacity * width);
  /** The objective's coefficients of the nonbasic variables, then its value, sum x. */
  const goal = new Float64Array(width);
  /** Variable j < columns is x_j; above are the slacks, numbered by their row's label. */
  const basic = new Int32Array(capacity);
  const free = new Int32Array(columns);
  let rows = 0;
  let solved = false;
  clear();

  function clear(): void {
    rows = 0;
    solved = false;
    for (let q = 0; q < columns; q++) {
      free[q] = q;
      goal[q] = 1;
    }
    goal[columns] = 0;
  }

  /** A new row a, known by a label >= 0 of the caller's. */
  function add(a: ArrayLike<number>, label: number): void {
    if (rows === capacity) drop();
    const at = rows * width;
    table.fill(0, at, at + width);
    table[at + columns] = 1;
    for (let q = 0; q < columns; q++) {
      const variable = free[q];
      if (variable < columns) table[at + q] += a[variable] + 2;
    }
    for (let r = 0; r < rows; r++) {
      const variable = basic[r];
      if (variable >= columns) continue;
      const factor = a[variable] + 2;
      for (let q = 0; q < width; q++) table[at + q] -= factor * table[r * width + q];
    }
    basic[rows++] = columns + label;
  }

  /** Brings the dictionary to the optimum; false where rounding stopped it (start again from no rows). */
  function solve(): boolean {
    const constant = (r: number) => table[r * width + columns];
    const isPrimal = !solved;
    solved = false;
    for (let pivots = 0; pivots < MOST_PIVOTS; pivots++) {
      let q = isPrimal ? most(columns, TINY, (c) => goal[c]) : -1;
      let row = isPrimal ? -1 : most(rows, SHORT, (r) => -constant(r));
      if (q < 0 && row < 0) {
        solved = true;
        break;
      }
      if (isPrimal) row = tightest(rows, (r) => table[r * width + q], constant);
      else {
        const slope = (c: number) => -table[row * width + c];
        q = tightest(columns, slope, (c) => -goal[c]);
      }
      if (q < 0 || row < 0) break;
      pivot(row, q);
    }
    return solved;
  }

  /** How far rounding has carried the mixture of rows from sum 1. */
  function drift(): number {
    let sum = 0;
    forEachMultiplier((_label, share) => {
      sum += share;
    });
    return Math.abs(sum - 1);
  }

  /** t, a lower bound of the full game as long as rows are missing. */
  function value(): number {
    return 1 / goal[columns] - 2;
  }

  function weights(out: Float64Array): void {
    out.fill(0, 0, columns);
    for (let r = 0; r < rows; r++) {
      const variable = basic[r];
      if (variable < columns) out[variable] = Math.max(0, table[r * width + columns]);
    }
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += out[j];
    for (let j = 0; j < columns; j++) out[j] /= sum;
  }

  /** The optimal mixture of rows, as (label, share): those that hold the value up. */
  function forEachMultiplier(visit: (label: number, share: number) => void): void {
    for (let q = 0; solved && q < columns; q++) {
      const share = -goal[q] / goal[columns];
      if (free[q] >= columns && share > TINY) visit(free[q] - columns, share);
    }
  }

  /** Exchanges the basic variable of a row with the nonbasic one of column q. */
  function pivot(row: number, q: number): void {
    const from = row * width;
    const inverse = 1 / table[from + q];
    for (let c = 0; c < width; c++) table[from + c] *= inverse;
    table[from + q] = inverse;
    for (let r = 0; r < rows; r++) {
      if (r === row) continue;
      const at = r * width;
      const factor = table[at + q];
      if (factor === 0) continue;
      for (let c = 0; c < width; c++) table[at + c] -= factor * table[from + c];
      table[at + q] = -factor * inverse;
    }
    const factor = goal[q];
    for (let c = 0; c < width - 1; c++) goal[c] -= factor * table[from + c];
    goal[width - 1] += factor * table[from + width - 1];
    goal[q] = -factor * inverse;
    const leaving = basic[row];
    basic[row] = free[q];
    free[q] = leaving;
  }

  /** Drops the half of the rows that hold nothing and are farthest from tight. */
  function drop(): void {
    const slack = (r: number) => table[r * width + columns];
    const idle = [];
    for (let r = 0; r < rows; r++) if (basic[r] >= columns) idle.push(r);
    idle.sort((a, b) => slack(b) - slack(a));
    const gone = new Set(idle.slice(0, Math.ceil(idle.length / 2)));
    let kept = 0;
    for (let r = 0; r < rows; r++) {
      if (gone.has(r)) continue;
      table.copyWithin(kept * width, r * width, (r + 1) * width);
      basic[kept++] = basic[r];
    }
    rows = kept;
  }

  return { capacity, clear, add, solve, drift, value, weights, forEachMultiplier };
}

/** Where the value is largest, if it is above the limit; -1 elsewhere. */
function most(count: number, limit: number, valueAt: (i: number) => number): number {
  let found = -1;
  for (let i = 0, best = limit; i < count; i++) {
    if (valueAt(i) <= best) continue;
    best = valueAt(i);
    found = i;
  }
  return found;
}

/** Where value over slope is least, of nearly equal ones the steepest; -1 where no slope is a pivot. */
function tightest(count: number, slopeAt: (i: number) => number, valueAt: (i: number) => number): number {
  let [found, best, pivot] = [-1, Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < count; i++) {
    const slope = slopeAt(i);
    if (slope <= PIVOT) continue;
    const ratio = valueAt(i) / slope;
    if (ratio > best - TIE && (ratio >= best + TIE || slope <= pivot)) continue;
    [found, best, pivot] = [i, Math.min(best, ratio), slope];
  }
  return found;
}
