/**
 * A little is enough (Baruch, Baruch and Goldberg, NeurIPS 2019): the liars know what the honest nodes send and say
 *
 *   mean_k - z deviation_k     of the honest rows, number by number,
 *
 * all the same. It lies within what honest nodes themselves scatter by, so that no radius and no trimming that spares honest
 * rows finds it, and it always pulls to one side. The deviation is over all honest rows (divided by their number).
 */

import { positive } from "../../input/option.ts";
import { defineAttack } from "./attack.ts";

export const littleIsEnough = defineAttack({
  name: "little-is-enough",
  summary: "the honest mean less z deviations, number by number",
  source: "Baruch, Baruch and Goldberg, 2019",
  options: { z: positive(1.5) },
  alone: false,
  create:
    ({ z }) =>
    (_own, { honest }, out) => {
      const count = honest.length;
      for (let k = 0; k < out.length; k++) {
        let mean = 0;
        for (const row of honest) mean += row[k];
        mean /= count;
        let square = 0;
        for (const row of honest) square += (row[k] - mean) * (row[k] - mean);
        out[k] = mean - z * Math.sqrt(square / count);
      }
    },
});
