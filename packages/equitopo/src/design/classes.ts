/**
 * Supports up to symmetry. |lambda_k| keeps its values when all shifts are mapped by u -> a u + c mod n, a a unit (directed;
 * any member can then be the own shift 0), or by u -> +-a u (undirected): one support of each class is enough. It is the
 * one that comes first when the members, sorted, are compared one by one.
 *
 * In it the smallest member beside 0 is a divisor d of n, and no difference of members has a smaller common divisor with n;
 * so the maps that could lead to an earlier set are those that take some difference to d.
 */

import { gcd, mod } from "../number/integers.ts";
import type { Question } from "./support.ts";

/** About how many classes there are: all supports over all maps. */
export function classCount({ n, degree, directed }: Question): number {
  const units = unitCount(n);
  return directed
    ? Math.ceil(choose(n, degree + 1) / (n * units))
    : Math.ceil(choose(Math.ceil(n / 2) - 1, Math.floor(degree / 2)) / Math.max(1, units / 2));
}

/** About how many supports are looked at to find the classes. */
export function supportCount({ n, degree, directed }: Question): number {
  return directed ? choose(n - 2, degree - 1) : choose(Math.ceil(n / 2) - 2, Math.floor(degree / 2) - 1);
}

function choose(n: number, k: number): number {
  let count = 1;
  for (let i = 0; i < k; i++) count *= (n - i) / (i + 1);
  return Math.max(1, count);
}

function unitCount(n: number): number {
  let count = 0;
  for (let a = 1; a <= n; a++) if (gcd(a, n) === 1) count++;
  return count;
}

/** Calls `visit` with the columns (search.ts) of one support of each class, in a buffer that is written again. */
export function forEachClass(asked: Question, visit: (columns: Int32Array) => void): void {
  new Classes(asked, visit).run();
}

class Classes {
  readonly #n: number;
  readonly #directed: boolean;
  readonly #visit: (columns: Int32Array) => void;
  /** What is chosen, ascending: the members beside 0 and n / 2. */
  readonly #members: Int32Array;
  readonly #columns: Int32Array;
  /** Where the members stand among the columns. */
  readonly #offset: number;
  readonly #image: Int32Array;
  /** gcd(u, n) of every u. */
  readonly #divisor: Int32Array;
  /** For every u the units a with a u = gcd(u, n). */
  readonly #toDivisor: readonly Int32Array[];
  /** Members lie below it. */
  readonly #end: number;

  constructor({ n, degree, directed }: Question, visit: (columns: Int32Array) => void) {
    this.#n = n;
    this.#directed = directed;
    this.#visit = visit;
    const count = directed ? degree : Math.floor(degree / 2);
    this.#offset = directed || degree % 2 === 0 ? 1 : 2;
    this.#members = new Int32Array(count);
    this.#image = new Int32Array(count + 1);
    this.#columns = new Int32Array(this.#offset + count);
    if (this.#offset === 2) this.#columns[1] = n / 2;
    this.#end = directed ? n : Math.ceil(n / 2);
    this.#divisor = Int32Array.from({ length: n }, (_, u) => gcd(u, n));
    const units = Array.from({ length: n }, (_, a) => a).filter((a) => this.#divisor[a] === 1);
    this.#toDivisor = Array.from({ length: n }, (_, u) =>
      Int32Array.from(units.filter((a) => (a * u) % n === this.#divisor[u])),
    );
  }

  run(): void {
    if (this.#members.length === 0) this.#visit(this.#columns);
    for (let d = 1; this.#members.length > 0 && d < this.#end; d++) {
      if (this.#divisor[d] !== d) continue;
      this.#members[0] = d;
      this.#extend(1);
    }
  }

  /** Chooses the members from place `at` on. */
  #extend(at: number): void {
    const members = this.#members;
    if (at === members.length) {
      if (this.#isFirst()) {
        this.#columns.set(members, this.#offset);
        this.#visit(this.#columns);
      }
      return;
    }
    for (let u = members[at - 1] + 1; u < this.#end; u++) {
      if (this.#divisor[u] < members[0]) continue;
      members[at] = u;
      this.#extend(at + 1);
    }
  }

  /** Whether no map leads to an earlier set. */
  #isFirst(): boolean {
    const members = this.#members;
    const d = members[0];
    if (!this.#directed) {
      for (const u of members) if (this.#divisor[u] === d && this.#leadsEarlier(0, u)) return false;
      return true;
    }
    for (let i = -1; i < members.length; i++) {
      const from = i < 0 ? 0 : members[i];
      for (let j = -1; j < members.length; j++) {
        if (i === j) continue;
        const difference = mod((j < 0 ? 0 : members[j]) - from, this.#n);
        if (this.#divisor[difference] < d) return false;
        if (this.#divisor[difference] === d && this.#leadsEarlier(from, difference)) return false;
      }
    }
    return true;
  }

  /** Whether some map that takes `from` to 0 and from + difference to d has an image that comes earlier. */
  #leadsEarlier(from: number, difference: number): boolean {
    const n = this.#n;
    const members = this.#members;
    const image = this.#image;
    for (const a of this.#toDivisor[difference]) {
      let size = 0;
      for (let j = this.#directed ? -1 : 0; j < members.length; j++) {
        const u = (a * mod((j < 0 ? 0 : members[j]) - from, n)) % n;
        const folded = this.#directed || 2 * u <= n ? u : n - u;
        if (folded === 0) continue;
        let place = size++;
        for (; place > 0 && image[place - 1] > folded; place--) image[place] = image[place - 1];
        image[place] = folded;
      }
      for (let j = 0; j < size; j++) {
        if (image[j] === members[j]) continue;
        if (image[j] < members[j]) return true;
        break;
      }
    }
    return false;
  }
}
