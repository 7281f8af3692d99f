/** Large values: every number is `value`. The crudest lie, and with plain mixing one round of it ends everybody's model. */

import { number } from "../../input/option.ts";
import { defineAttack } from "./attack.ts";

export const large = defineAttack({
  name: "large",
  summary: "the same large number everywhere",
  source: "a broken machine does it, too",
  options: { value: number(1e30) },
  alone: true,
  create:
    ({ value }) =>
    (_own, _scene, out) => {
      out.fill(value);
    },
});
