/** What the view of curves remembers beside what it shares. */

import { option } from "equitopo/input";
import { of, word } from "../field.ts";

export const curvesFields = {
  /** What the curves are drawn against. */
  x: word("rounds", "bytes", "seconds"),
  /** The network of simulated seconds: per message, and per byte. */
  alpha: of(option.number(1e-4, { min: 0, max: 10 })),
  beta: of(option.number(8e-9, { min: 0, max: 1e-3 })),
};
