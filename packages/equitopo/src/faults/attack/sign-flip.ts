/**
 * Sign flip: -scale x in place of x (the sign-flipping attack of Li, Xu, Chen, Giannakis and Ling, RSA, 2019, on models).
 * A node that averages with it is pulled towards 0, and past it.
 */

import { positive } from "../../input/option.ts";
import { defineAttack } from "./attack.ts";

export const signFlip = defineAttack({
  name: "sign-flip",
  summary: "-scale x in place of x",
  source: "Li, Xu, Chen, Giannakis and Ling, 2019",
  options: { scale: positive(1) },
  alone: true,
  create:
    ({ scale }) =>
    (own, _scene, out) => {
      for (let k = 0; k < own.length; k++) out[k] = -scale * own[k];
    },
});
