/** The designer: bounds, classes, weights, sequences, the table. */

import { changes } from "./change.mjs";

export const designMutants = [
  ...changes(
    "design/bounds.ts",
    ["design/support-bound.test.ts", "design/design.test.ts"],
    [
      [
        "Welch's bound of one peer fewer",
        'integer("degree", degree, 1) + 1) - 1)',
        'integer("degree", degree, 1)) - 1)',
      ],
      ["moments taken at the upper end", "powers(low * low)", "powers(high * high)"],
      [
        "a loose bound: the first moment only",
        "for (let m = 1; m <= MOMENTS; m++) {\n      const above = n * moment[m] - 1;",
        "for (let m = 1; m <= 1; m++) {\n      const above = n * moment[m] - 1;",
      ],
      ["undirected pieces without their width", "1 - (p + 1) / cuts -", "1 - p / cuts -"],
    ],
  ),
  ...changes(
    "design/design.ts",
    ["design/support-bound.test.ts", "design/design.test.ts"],
    [
      [
        "supportBound without the own shift",
        "for (let j = -1; j < shifts.length; j++) {",
        "for (let j = 0; j < shifts.length; j++) {",
      ],
      ["supportBound not divided by the multipliers", "Math.min(least, g / total)", "Math.min(least, g)"],
      [
        "the lightest shift becomes the own one",
        "indexOf(Math.max(...optimiser.weights))",
        "indexOf(Math.min(...optimiser.weights))",
      ],
      ["multipliers not conjugated", "({ k, re, im: 0 - im })", "({ k, re, im })"],
      ["weights of pairs not shared", "(shared ? 2 : 1)", "(shared ? 1 : 1)"],
    ],
  ),
  ...changes(
    "design/support.ts",
    ["design/support-bound.test.ts", "design/design.test.ts"],
    [
      [
        "the own weight moves undirected",
        "return directed ? 0 : 1 + (degree % 2);",
        "return directed ? 0 : degree % 2;",
      ],
    ],
  ),
  ...changes(
    "design/exhaust.ts",
    ["design/support-bound.test.ts", "design/design.test.ts"],
    [
      [
        "classes left out: differences not looked at",
        "if (divisor[difference] < set[1]) return false;",
        "if (divisor[difference] <= set[1]) return false;",
      ],
      ["n / 2 forgotten", "if (columns.length > set.length) columns[1] = n / 2;", ""],
      [
        "the first set of its class only if it has an earlier one",
        "if (image[j] < set[j + 1]) return true;",
        "if (image[j] > set[j + 1]) return true;",
      ],
    ],
  ),
  ...changes(
    "design/weights.ts",
    ["design/weights.test.ts"],
    [
      ["stops far from the best", "this.rate - this.bound <= tolerance ||", "this.rate - this.bound <= 1e-2 ||"],
      ["tangents not scaled", "x / modulus", "x"],
      [
        "weights of the last attempt, not of the best",
        "if (rate < this.rate) {",
        "if (rate < Number.POSITIVE_INFINITY) {",
      ],
    ],
  ),
  ...changes(
    "design/one-peer.ts",
    ["design/support-bound.test.ts", "design/design.test.ts"],
    [["the bound of another count of sums", "q = (2 * q) % n;", "q = (3 * q) % n;"]],
  ),
];
