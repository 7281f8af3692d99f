/** Noise: x + sigma z with z normal, drawn anew for every liar and exchange (the Gaussian attack). */

import { positive } from "../../input/option.ts";
import { fillNormal } from "../../random/normal.ts";
import { streams } from "../../random/stream.ts";
import { defineAttack } from "./attack.ts";

export const noise = defineAttack({
  name: "noise",
  summary: "x + sigma z, z normal",
  source: "Blanchard, El Mhamdi, Guerraoui and Stainer, 2017",
  options: { sigma: positive(1) },
  alone: true,
  create:
    ({ sigma }) =>
    (own, { node, exchange, seed }, out) => {
      const drawn = fillNormal(new Float64Array(own.length), seed, streams.lies, exchange, node * own.length);
      for (let k = 0; k < own.length; k++) out[k] = own[k] + sigma * drawn[k];
    },
});
