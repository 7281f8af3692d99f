/**
 * Large values: value, -value, value, ... The crudest lie, and with plain mixing one round of it ends everybody's model. The
 * signs change because one number everywhere is no lie to a softmax, which sees differences only.
 */

import { number } from "../../input/option.ts";
import { defineAttack } from "./attack.ts";

export const large = defineAttack({
  name: "large",
  summary: "a large number everywhere, its sign changing",
  source: "a broken machine does it, too",
  options: { value: number(1e30) },
  alone: true,
  create:
    ({ value }) =>
    (_own, _scene, out) => {
      for (let k = 0; k < out.length; k++) out[k] = k % 2 === 0 ? value : -value;
    },
});
