/**
 * Supports up to symmetry. |lambda_k| keeps its values when all shifts are mapped by u -> a u + c mod n, a a unit (directed;
 * any member can then be the own shift 0), or by u -> +-a u (undirected): one support of each class is enough. It is the
 * one that comes first when the members, sorted, are compared one by one.
 *
 * In it the smallest member beside 0 is a divisor d of n, and no difference of members has a smaller common divisor with n;
 * so the maps that could lead to an earlier set are those that take some difference to d.
 */

import { gcd, mod } from "../number/integers.ts";
import type { Found } from "./search.ts";
import { Waves } from "./spectrum.ts";
import { columnsOf, type Question } from "./support.ts";
import { WeightOptimiser } from "./weights.ts";

/** About how many classes there are: all supports over all maps. */
function classCount({ n, degree, directed }: Question): number {
  const units = unitsOf(n).length;
  return directed
    ? Math.ceil(choose(n, degree + 1) / (n * units))
    : Math.ceil(choose(Math.ceil(n / 2) - 1, Math.floor(degree / 2)) / Math.max(1, units / 2));
}

/** About how many supports are looked at to find the classes. */
function supportCount({ n, degree, directed }: Question): number {
  return directed ? choose(n - 2, degree - 1) : choose(Math.ceil(n / 2) - 2, Math.floor(degree / 2) - 1);
}

function choose(n: number, k: number): number {
  let count = 1;
  for (let i = 0; i < k; i++) count *= (n - i) / (i + 1);
  return Math.max(1, count);
}

const unitsOf = (n: number) => Array.from({ length: n }, (_, a) => a).filter((a) => gcd(a, n) === 1);

/** Whether exhausting a question costs no more than weighing so many classes: about 10^4 a second at n = 100. */
export function isExhaustible(asked: Question, classes: number): boolean {
  return classCount(asked) <= classes && supportCount(asked) <= 50 * classes;
}

/**
 * The best support of all, and so the best circulant of that degree: every class is weighed, and given up as soon as its
 * lower bound passes the best rate so far.
 */
export function exhaust(asked: Question): Found {
  const optimiser = new WeightOptimiser(new Waves(asked.n, asked.directed), columnsOf(asked));
  let best: readonly number[] = [];
  let rate = Number.POSITIVE_INFINITY;
  let evaluations = 0;
  forEachClass(asked, (columns) => {
    evaluations++;
    // What is not better by more than rounding does not replace what came first.
    if (optimiser.optimise(columns, 1e-9, rate - 1e-9) >= rate - 1e-9) return;
    rate = optimiser.rate;
    best = [...columns];
  });
  return { shifts: best, rate, evaluations };
}

/** Calls `visit` with the columns (search.ts) of one support of each class, in a buffer that is written again. */
export function forEachClass({ n, degree, directed }: Question, visit: (columns: Int32Array) => void): void {
  const count = directed ? degree : Math.floor(degree / 2);
  // 0, then the chosen members, ascending; n / 2 is not among them.
  const set = new Int32Array(count + 1);
  const image = new Int32Array(count + 1);
  const columns = new Int32Array(columnsOf({ n, degree, directed }));
  if (columns.length > set.length) columns[1] = n / 2;
  const end = directed ? n : Math.ceil(n / 2);
  const divisor = Int32Array.from({ length: n }, (_, u) => gcd(u, n));
  const units = unitsOf(n);
  // For every u the units a with a u = gcd(u, n).
  const toDivisor = Array.from(divisor, (d, u) => units.filter((a) => (a * u) % n === d));

  /** Whether some map that takes `from` to 0 and from + difference to the first member has an image that comes earlier. */
  function leadsEarlier(from: number, difference: number): boolean {
    for (const a of toDivisor[difference]) {
      let size = 0;
      for (let j = 0; j <= count; j++) {
        const u = (a * mod(set[j] - from, n)) % n;
        const folded = directed || 2 * u <= n ? u : n - u;
        if (folded === 0) continue;
        let place = size++;
        for (; place > 0 && image[place - 1] > folded; place--) image[place] = image[place - 1];
        image[place] = folded;
      }
      for (let j = 0; j < size; j++) {
        if (image[j] === set[j + 1]) continue;
        if (image[j] < set[j + 1]) return true;
        break;
      }
    }
    return false;
  }

  /** Whether no map leads to an earlier set; undirected, the maps leave 0 where it is. */
  function isFirst(): boolean {
    for (let i = 0; i <= (directed ? count : 0); i++) {
      for (let j = 0; j <= count; j++) {
        if (i === j) continue;
        const difference = mod(set[j] - set[i], n);
        if (divisor[difference] < set[1]) return false;
        if (divisor[difference] === set[1] && leadsEarlier(set[i], difference)) return false;
      }
    }
    return true;
  }

  /** Chooses the members from place `at` on. */
  function extend(at: number): void {
    if (at > count) {
      if (!isFirst()) return;
      columns.set(set.subarray(1), columns.length - count);
      visit(columns);
      return;
    }
    for (let u = set[at - 1] + 1; u < end; u++) {
      if (at === 1 ? divisor[u] !== u : divisor[u] < set[1]) continue;
      set[at] = u;
      extend(at + 1);
    }
  }

  if (count === 0) visit(columns);
  else extend(1);
}
