/**
 * The paper's bounds, each on the consensus rate beta itself (the theorems on EquiDyn bound its square),
 * and the number of basis graphs that its first theorem asks for.
 */

import { InputError, nodes, real } from "../input/input.ts";
import { log } from "../number/elementary.ts";

/**
 * M = ceil(8 / (3 rho^2) ln(2 n / p)): with so many uniform basis indices ||Pi W||_2 <= rho with probability at least
 * 1 - p (formal restatement of the theorem on D-EquiStatic, Appendix A.2; Alg. 3).
 *
 * @example
 * ```ts
 * import { basisSize } from "equitopo/rate";
 * basisSize(300, 0.5, 0.1) // => 93
 * ```
 */
export function basisSize(n: number, rho: number, p: number): number {
  nodes(n);
  real("rho", rho, { min: 0, max: 1, open: "both" }, 0.5);
  real("p", p, { min: 0, max: 1, open: "both" }, 0.5);
  const m = Math.ceil((8 / (3 * rho * rho)) * log((2 * n) / p));
  if (m > 1e8) throw new InputError("rho must not be so small that M exceeds 10^8", rho, "try rho = 0.1");
  return m;
}

/**
 * Theorem on OD-EquiDyn: beta^2 <= 1 - 2 eta (1 - eta)(1 - rho), rho the rate of D-EquiStatic on the same basis.
 *
 * @example
 * ```ts
 * import { odEquiDynBound } from "equitopo/rate";
 * odEquiDynBound(0.5, 0).toFixed(4) // => "0.7071"
 * ```
 */
export function odEquiDynBound(eta: number, rho: number): number {
  return equiDynBound(2, eta, rho);
}

/**
 * Theorems on OU-EquiDyn (Alg. 2) and on its alternative (Alg. 5): beta^2 <= 1 - 4/3 eta (1 - eta)(1 - rho), rho the
 * rate of U-EquiStatic on the same basis.
 *
 * @example
 * ```ts
 * import { ouEquiDynBound } from "equitopo/rate";
 * ouEquiDynBound(0.5, 0).toFixed(4) // => "0.8165"
 * ```
 */
export function ouEquiDynBound(eta: number, rho: number): number {
  return equiDynBound(4 / 3, eta, rho);
}

function equiDynBound(factor: number, eta: number, rho: number): number {
  real("eta", eta, { min: 0, max: 1 }, 0.5);
  real("rho", rho, { min: 0, max: 1 }, 0.5);
  return Math.sqrt(1 - factor * eta * (1 - eta) * (1 - rho));
}
