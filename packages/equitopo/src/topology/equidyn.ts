/**
 * What OD- and OU-EquiDyn share: the weight c = eta (n-1)/n on a round's one edge, a basis that may be the full one
 * {1, ..., n-1} (never written out), and the random choices of round t.
 */

import { InputError } from "../input/input.ts";
import { about, type Given, optional, positiveShare } from "../input/option.ts";
import { type BasisOptions, basisOption, basisOptions, resolveBasis } from "./basis.ts";

export interface EquiDynOptions extends Given<typeof equiDynOptions> {}

export const equiDynOptions = {
  ...basisOptions,
  /** "full" is {1, ..., n-1}, the default. */
  basis: basisOption<readonly number[] | "full">((name, value) => {
    if (value === "full") return value;
    if (typeof value !== "string") return basisOptions.basis.check(name, value) as readonly number[];
    throw new InputError(`${name} must be a list of indices or "full"`, value, `try ${name} = "full"`);
  }),
  /** In (0, 1]; the paper uses 1/2. The default n/(2(n-1)) is the best for every basis. */
  eta: about(optional(positiveShare(0.5)), "mixing parameter in (0, 1] of EquiDyn, default n/(2(n-1)), the best", "E"),
};

/** Whether options ask for the full basis, which is what they do where they ask for none. */
export function isFull({ basis, m, rho, p }: Omit<EquiDynOptions, "n">): boolean {
  return basis === "full" || (basis === undefined && m === undefined && rho === undefined && p === undefined);
}

/** The basis, eta and the weight eta (n-1)/n, which is exactly 1/2 at the default eta. */
export function resolveEquiDyn(options: EquiDynOptions, norm: (n: number, basis: readonly number[]) => number) {
  const { n, basis: given, ...drawn } = options;
  const { eta, seed = 0 } = drawn;
  const full = isFull(options);
  // Asking for a basis of size 1 checks that nothing contradicts the full one.
  const basis = resolveBasis(full ? { ...drawn, n, basis: [1] } : (options as BasisOptions), 1, norm);
  const best = n / (2 * (n - 1));
  const chosen = eta ?? best;
  const weight = chosen === best ? 0.5 : (chosen * (n - 1)) / n;
  return { basis: full ? ("full" as const) : basis, eta: chosen, weight, seed };
}
