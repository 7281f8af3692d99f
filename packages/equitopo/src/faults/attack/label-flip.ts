/**
 * Label flip: the liar's data says class C - 1 - c where it should say c, and what it sends is the model that it honestly
 * learns from that (Fang, Cao, Jia and Gong, 2020, among others). There is nothing to see in a message but where it leads.
 */

import { defineAttack } from "./attack.ts";

export const labelFlip = defineAttack({
  name: "label-flip",
  summary: "learns class C - 1 - c in place of c, and sends what it learned",
  source: "Fang, Cao, Jia and Gong, 2020",
  options: {},
  alone: true,
  mislabels: true,
  create: () => (own, _scene, out) => {
    out.set(own);
  },
});
