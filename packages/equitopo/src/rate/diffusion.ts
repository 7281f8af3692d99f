/** One step of the disagreement of D2, exact diffusion and NIDS without gradients: V (2x - y). */

import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";

/** V = (I + W)/2 in the lazy form, W in the plain one; rows of any width. */
export function diffused(
  round: Round,
  x: Float64Array,
  y: Float64Array,
  form: "lazy" | "plain",
): Float64Array<ArrayBuffer> {
  const phi = new Float64Array(x.length);
  for (let k = 0; k < x.length; k++) phi[k] = 2 * x[k] - y[k];
  const out = new Float64Array(x.length);
  applyRound(round, phi, out);
  if (form === "lazy") for (let k = 0; k < x.length; k++) out[k] = (out[k] + phi[k]) / 2;
  return out;
}
