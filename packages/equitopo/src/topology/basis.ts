/**
 * Basis indices {u_1, ..., u_M}, a multiset from [n - 1] (paper, section 3.2), however they are asked for: written out,
 * as a number M of uniform draws, or by Alg. 3, which draws until the graph's own norm is at most rho.
 */

import { defined, InputError, integer } from "../input/input.ts";
import { about, type Given, number, type Option, optional, parseNumber, seed, whole } from "../input/option.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { basisSize } from "../rate/bounds.ts";
import { isConnected } from "../round/circulant.ts";

export interface BasisOptions extends Given<typeof basisOptions> {}

export const basisOptions = {
  /** The indices themselves; -u means n - u, and an index may occur several times. Or the table's best design of degree m. */
  basis: basisOption<readonly number[] | "best">((name, value) => {
    if (value === "best" || (Array.isArray(value) && value.length > 0)) return value as readonly number[] | "best";
    throw new InputError(`${name} must be a list of at least one index, or best`, value, `try ${name} = [1]`);
  }),
  /** How many to draw, again and again while the graph is disconnected. */
  m: about(optional(whole(9, 1, 1e7)), "draw M basis indices of an EquiTopo graph", "M"),
  /** Draw until the consensus rate is at most rho: m indices, or as many as the theorem asks for with probability p. */
  rho: about(optional(number(0.5, { min: 0, max: 1, open: "both" })), "draw until the basis has rate R or less", "R"),
  p: about(optional(number(0.5, { min: 0, max: 1, open: "both" })), "with --rho: M for probability 1 - P", "P"),
  seed,
};

/** A basis, written 1,2,4 or -1,8 on a command line; or the word full or best. */
export function basisOption<V>(check: (name: string, value: unknown) => V): Option<V | undefined> {
  return {
    default: undefined,
    range: "indices from 1 to n - 1",
    help: "basis indices of an EquiTopo graph (-u means n - u), full, or best: the table's of degree m",
    written: "1,2,4",
    check,
    parse(text) {
      const word = text.trim();
      if (word === "full" || word === "best") return word;
      const indices = text.split(",").map(parseNumber);
      return indices.includes(undefined) ? undefined : indices;
    },
  };
}

/** The degree of the table's design that basis = best asks for, or undefined where it is not asked for. */
export function bestDegree(options: BasisOptions, preset: number): number | undefined {
  const { basis, m, rho, p } = options;
  if (basis !== "best") return undefined;
  if (rho === undefined && p === undefined) return m ?? preset;
  throw new InputError("basis = best takes m alone", { rho, p }, "leave them out");
}

/** How many indices the options come to, before any is drawn: as given, as asked for, the theorem's, or `preset`. */
export function basisLength(
  { n, basis, m, rho, p }: Omit<BasisOptions, "basis"> & { readonly basis?: unknown },
  preset: number,
): number {
  if (Array.isArray(basis)) return basis.length;
  return m ?? (rho === undefined ? preset : basisSize(n, rho, p ?? 0.5));
}

/** Draws before giving up: a connected graph is found in one or two, and Alg. 3 succeeds with probability 1 - p each. */
const MAX_DRAWS = 500;

/** The rate that Alg. 3 holds against rho. */
type Norm = (n: number, basis: readonly number[]) => number;

export function resolveBasis(options: BasisOptions, defaultSize: number, norm: Norm): readonly number[] {
  const { n, basis, m, rho, p, seed: from = 0 } = options;
  if (basis !== undefined) {
    if ((m ?? rho ?? p) === undefined) return checkBasis(n, basis);
    const rule = "a basis is given either in full or by m, rho and p";
    throw new InputError(rule, { m, rho, p }, "leave out one of them");
  }
  if (p !== undefined && rho === undefined) {
    const rule = "p goes with rho (the theorem's M for rate rho with probability 1 - p)";
    throw new InputError(rule, p, "give rho as well");
  }
  if (p !== undefined && m !== undefined) {
    throw new InputError("m replaces the theorem's M, which is all that p is for", p, "leave out p or m");
  }
  const size = integer("m", basisLength({ n, ...defined({ m, rho, p }) }, defaultSize), 1, 1e7);
  return rho === undefined ? drawConnected(n, size, from) : drawToRate(n, size, rho, from, norm);
}

/** Each index in [1, n), negative ones reduced to n - u. */
function checkBasis(n: number, basis: readonly number[] | "best"): readonly number[] {
  if (basis === "best") throw new InputError("basis = best is for static graphs", basis, "write the indices out");
  return basis.map((u) => {
    if (Number.isInteger(u) && u !== 0 && Math.abs(u) < n) return u < 0 ? u + n : u;
    const rule = `a basis index must be an integer from 1 to n - 1 = ${n - 1}, or -u for n - u`;
    throw new InputError(rule, u, "leave it out: a shift by a multiple of n connects a node to itself");
  });
}

function firstDrawn(n: number, m: number, seed: number, willDo: (basis: number[]) => boolean): number[] | undefined {
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const random = new RandomStream(seed, streams.basis, attempt);
    const basis = Array.from({ length: m }, () => 1 + random.below(n - 1));
    if (willDo(basis)) return basis;
  }
  return undefined;
}

function drawConnected(n: number, m: number, seed: number): readonly number[] {
  const found = firstDrawn(n, m, seed, (basis) => isConnected(n, basis));
  if (found !== undefined) return found;
  throw new InputError(`m must be large enough to connect n = ${n} nodes in ${MAX_DRAWS} draws`, m, `try m = ${m + 1}`);
}

function drawToRate(n: number, m: number, rho: number, seed: number, norm: Norm): readonly number[] {
  let best = Number.POSITIVE_INFINITY;
  const found = firstDrawn(n, m, seed, (basis) => {
    best = Math.min(best, norm(n, basis));
    return best <= rho;
  });
  if (found !== undefined) return found;
  const drawn = `${MAX_DRAWS} draws of M = ${m} indices at n = ${n} had a best rate of ${best.toPrecision(6)}`;
  const remedy = `try rho = ${Math.ceil(best * 1000) / 1000} or a larger m`;
  throw new InputError(`rho must be reachable: ${drawn}`, rho, remedy);
}

/** The distinct indices, ascending, each with its count in the multiset. */
export function tally(basis: readonly number[]): { shifts: Int32Array; counts: Float64Array } {
  const counts = new Map<number, number>();
  for (const u of Int32Array.from(basis).sort()) counts.set(u, (counts.get(u) ?? 0) + 1);
  return { shifts: Int32Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}
