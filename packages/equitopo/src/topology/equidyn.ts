/**
 * What OD- and OU-EquiDyn share: the weight c = eta (n-1)/n on a round's one edge, a basis that may be the full one
 * {1, ..., n-1} (never written out), and the random choices of round t.
 */

import { InputError, real } from "../input/input.ts";
import { about, optional, positiveShare } from "../input/option.ts";
import { equiDynFactor } from "../rate/equidyn.ts";
import { type BasisOptions, basisOption, basisOptions, resolveBasis, tally } from "./basis.ts";

export interface EquiDynOptions extends Omit<BasisOptions, "basis"> {
  /** "full" is {1, ..., n-1}, the default. */
  readonly basis?: readonly number[] | "full";
  /** In (0, 1]; the paper uses 1/2. The default n/(2(n-1)) is the best for every basis. */
  readonly eta?: number;
}

/** The options of both. */
export const equiDynOptions = {
  ...basisOptions,
  basis: basisOption<readonly number[] | "full">((name, value) => {
    if (value === "full") return value;
    if (typeof value !== "string") return basisOptions.basis.check(name, value) as readonly number[];
    throw new InputError(`${name} must be a list of indices or "full"`, value, `try ${name} = "full"`);
  }),
  eta: about(optional(positiveShare(0.5)), "mixing parameter in (0, 1] of EquiDyn, default n/(2(n-1)), the best", "E"),
};

/** Whether options ask for the full basis, which is what they do where they ask for none. */
export function isFull({ basis, m, rho, p }: Omit<EquiDynOptions, "n">): boolean {
  return basis === "full" || (basis === undefined && m === undefined && rho === undefined && p === undefined);
}

export interface EquiDyn {
  readonly basis: readonly number[] | "full";
  readonly eta: number;
  /** eta (n-1)/n: exactly 1/2 at the default eta. */
  readonly weight: number;
  readonly seed: number;
}

export function resolveEquiDyn(
  options: EquiDynOptions,
  norm: (n: number, basis: readonly number[]) => number,
): EquiDyn {
  const { n, basis, eta, seed = 0 } = options;
  if (basis !== undefined) equiDynOptions.basis.check("basis", basis);
  const { basis: _, ...drawn } = options;
  const full = isFull(options);
  // Asking for the full basis of size 1 checks n, and that nothing contradicts it.
  const indices = resolveBasis(full ? { ...drawn, basis: [1] } : (options as BasisOptions), 1, norm);
  const best = n / (2 * (n - 1));
  const chosen = eta === undefined ? best : real("eta", eta, { min: 0, max: 1, open: "min" }, 0.5);
  return {
    basis: full ? "full" : indices,
    eta: chosen,
    weight: chosen === best ? 0.5 : (chosen * (n - 1)) / n,
    seed,
  };
}

/** The exact beta^2; `matched(v)` is the fraction of nodes that have a partner at label difference v. */
export function exactFactor(n: number, { basis, weight }: EquiDyn, matched: (v: number) => number): number {
  if (basis !== "full") {
    const { shifts, counts } = tally(basis);
    return equiDynFactor(n, shifts, counts, weight, matched);
  }
  const shifts = Int32Array.from({ length: n - 1 }, (_, k) => k + 1);
  return equiDynFactor(n, shifts, new Float64Array(n - 1).fill(1), weight, matched);
}
