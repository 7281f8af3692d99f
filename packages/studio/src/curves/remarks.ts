/** What has to be said beside the curves: where one may be above its promise, and where nothing is promised. Pure. */

import { labelOf } from "../view/topology-field.ts";
import { promised } from "../work/rates.ts";
import { isTrouble } from "../work/trouble.ts";
import type { CurvesShown } from "./table.tsx";

/** Rounding is no crossing. */
const ABOVE = 1 + 1e-9;

export function remarks({ topologies, curves, rates }: CurvesShown): string[] {
  const above: string[] = [];
  const silent = new Map<string, string[]>();
  for (const [place, chosen] of topologies.entries()) {
    const [curve, rate] = [curves[place], rates[place]];
    if (curve === undefined || isTrouble(curve) || rate === undefined) continue;
    if (isTrouble(rate)) {
      silent.set(rate.trouble, [...(silent.get(rate.trouble) ?? []), labelOf(chosen)]);
      continue;
    }
    const { errors } = curve;
    if (rate.meanSquare && errors.some((error, t) => error > ABOVE * errors[0] * promised(rate, t)))
      above.push(labelOf(chosen));
  }
  return [
    ...(above.length === 0
      ? []
      : [
          `${above.join(", ")}: measured above the dashed line in places. That rate holds in the root of the mean square over all that is drawn; one run may be above it or below.`,
        ]),
    ...[...silent].map(([why, names]) => `${names.join(", ")}: no dashed line, ${why}.`),
  ];
}
