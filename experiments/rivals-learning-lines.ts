/**
 * Who takes part in rivals-learning, and the figures that each is held against: computed independently, in another program,
 * on the same data.
 */

import type { TopologySpec } from "equitopo";
import type { Heterogeneity } from "./lcg.ts";

export interface Line {
  readonly title: string;
  readonly random?: true;
  spec(n: number, seed: number): TopologySpec;
}

export const od: Line = { title: "OD-EquiDyn", random: true, spec: (n, seed) => ({ name: "od-equidyn", n, seed }) };
export const ou: Line = {
  title: "OU-EquiDyn, Euclid",
  random: true,
  spec: (n, seed) => ({ name: "ou-equidyn", n, construction: "euclid", seed }),
};
export const greedy: Line = {
  title: "OU-EquiDyn, greedy",
  random: true,
  spec: (n, seed) => ({ name: "ou-equidyn", n, construction: "greedy", seed }),
};
export const matching: Line = {
  title: "Random matching",
  random: true,
  spec: (n, seed) => ({ name: "random-matching", n, seed }),
};
export const exponential: Line = { title: "O.-P. Exp.", spec: (n) => ({ name: "one-peer-exp", n }) };
export const ceca: Line = { title: "CECA-2P", spec: (n) => ({ name: "ceca-2p", n }) };
export const base2: Line = { title: "Base-2", spec: (n) => ({ name: "base", n, k: 1 }) };
export const base5: Line = { title: "Base-5", spec: (n) => ({ name: "base", n, k: 4 }) };
export const deBruijn: Line = { title: "De Bruijn 4", spec: (n) => ({ name: "de-bruijn", n, p: 4 }) };
export const staticExp: Line = { title: "Static exp.", spec: (n) => ({ name: "static-exp", n }) };
/** The basis that the authors drew at n = 300. */
export const basis = [173, 48, 118, 193, 252, 196, 10, 212, 278];
export const equiStatic: Line = { title: "D-EquiStatic 9", spec: (n) => ({ name: "d-equistatic", n, basis }) };
export const allReduce: Line = { title: "All-reduce", spec: (n) => ({ name: "complete", n }) };

export interface Setting {
  readonly title: string;
  readonly n: number;
  readonly spread: Heterogeneity;
  readonly drop?: number;
}

export const settings: readonly Setting[] = [
  { title: "n = 25, iid", n: 25, spread: "iid" },
  { title: "n = 25, sorted", n: 25, spread: "sorted" },
  { title: "n = 300, iid", n: 300, spread: "iid" },
  { title: "n = 300, sorted", n: 300, spread: "sorted" },
  { title: "n = 300, iid, 5 % lost", n: 300, spread: "iid", drop: 0.05 },
];

/** Where DSGD stalls, in the order of the settings; null where no figure is known. */
export const stalls: readonly (readonly [Line, readonly (number | null)[]])[] = [
  [od, [0.073, 0.061, 0.086, 0.065, 0.093]],
  [ou, [0.084, 0.071, 0.088, 0.069, 0.095]],
  [matching, [0.078, 0.066, 0.087, 0.067, 0.094]],
  [exponential, [0.065, 0.071, 0.084, 0.111, 0.091]],
  [ceca, [0.067, 0.061, 0.093, 0.124, 0.1]],
  [base2, [0.085, 0.094, 0.104, 0.188, 0.111]],
  [base5, [0.02, 0.022, 0.037, 0.061, 0.041]],
  [equiStatic, [null, null, 0.02, 0.013, 0.023]],
  [allReduce, [0.0002, 0.0003, 0.0001, 0.0001, null]],
];

export interface Race {
  readonly title: string;
  readonly algorithm: string;
  readonly n: number;
  /** Vectors in a message. */
  readonly vectors: number;
  readonly drop?: number;
  /** Iterations to 1e-6; where single runs scatter by more than a tenth, what is allowed stands behind. */
  readonly lines: readonly (readonly [Line, number, allowance?: number])[];
  /** Over these the method is unstable at small learning rates, and refused: the figures are of runs all the same. */
  readonly refused?: readonly Line[];
}

export const races: readonly Race[] = [
  {
    title: "DSGT, n = 25",
    algorithm: "dsgt",
    n: 25,
    vectors: 2,
    lines: [
      [od, 63],
      [ou, 65],
      [matching, 64],
      [exponential, 72],
      [base2, 203],
      [base5, 38],
    ],
  },
  {
    title: "DSGT, n = 300",
    algorithm: "dsgt",
    n: 300,
    vectors: 2,
    lines: [
      [od, 59],
      [ou, 65],
      [matching, 63],
      [exponential, 162],
      [base2, 326],
      [base5, 72],
      [equiStatic, 66],
    ],
  },
  {
    title: "ATC tracking, n = 300",
    algorithm: "atc-gt",
    n: 300,
    vectors: 2,
    lines: [
      // Missed by 10.7 %: 15 single runs need between 60 and 74 at the best learning rate, 67 in the median.
      [od, 75, 0.15],
      [ou, 45],
      [matching, 45],
      [exponential, 107],
      [base2, 263],
      [base5, 16],
    ],
  },
  {
    title: "lazy D², n = 300",
    algorithm: "d2",
    n: 300,
    vectors: 1,
    lines: [
      [od, 65],
      [ou, 66],
      [matching, 66],
      [exponential, 85],
      // Missed by 11 %: of the nine learning rates one holds, and how soon depends on where it lies.
      [base2, 237, 0.15],
      [base5, 39],
      [deBruijn, 42],
    ],
    refused: [exponential, base2],
  },
  { title: "all-reduce descent, n = 300", algorithm: "dsgd", n: 300, vectors: 1, lines: [[allReduce, 8]] },
  {
    title: "DSGT, n = 300, 5 % lost",
    algorithm: "dsgt",
    n: 300,
    vectors: 2,
    drop: 0.05,
    lines: [
      [ou, 68],
      [base2, 382],
    ],
  },
  { title: "lazy D², n = 300, 5 % lost", algorithm: "d2", n: 300, vectors: 1, drop: 0.05, lines: [[ou, 71]] },
];

/** How far DSGD gets with 150 vectors a node at n = 300, with the best of eight learning rates. */
export const budgets: readonly (readonly [Line, low: number, high: number])[] = [
  [od, 0.058, 0.071],
  [ou, 0.058, 0.071],
  [greedy, 0.058, 0.071],
  [matching, 0.058, 0.071],
  [exponential, 0.058, 0.071],
  [ceca, 0.058, 0.071],
  [base2, 0.058, 0.071],
  [base5, 0.065, 0.072],
  [deBruijn, 0.065, 0.072],
  [staticExp, 0.09, 0.099],
  [equiStatic, 0.09, 0.099],
  [allReduce, 0, 1e-5],
];
