/**
 * How fast the theory says that DSGD and DSGT converge over a network of consensus rate beta (paper, Theorem on DSGD in
 * section 5.1, Theorem on strongly convex DSGD in Appendix C.1, Theorem on DSGT in section 5.2), and from when on the
 * network no longer shows. The bounds are sums of terms up to constants, which are taken as 1 here, and, for strongly
 * convex functions, logarithms:
 *
 *   DSGD, non-convex      s / (nT)^1/2 + (beta s)^2/3 / (T^2/3 (1-beta)^1/3) + (beta b)^2/3 / (T^2/3 (1-beta)^2/3)
 *                         + beta / (T (1-beta))
 *   DSGD, strongly convex s^2 / (nT) + kappa beta s^2 / ((1-beta) T^2) + kappa beta b^2 / ((1-beta)^2 T^2)
 *                         + exp(-(1-beta) T / kappa) / (1-beta)
 *   DSGT, non-convex      s / (nT)^1/2 + s^2/3 / ((1-beta) T^2/3) + 1 / ((1-beta)^2 T)      for T >= 1 / (1-beta)
 *
 * s: standard deviation of the gradient noise, b: heterogeneity, kappa = L / mu. The first term is that of n nodes
 * averaging exactly: it falls with n (linear speedup). Transient iterations (Appendix C.2): the T from which on every
 * other term is at most the first.
 */

import { oneOf } from "../input/input.ts";
import { nonnegative, number, required, settle, type Values, whole } from "../input/option.ts";

/** The methods that the theorems are about. */
export const theoryMethods = ["dsgd-nonconvex", "dsgd-convex", "dsgt"] as const;
export type TheoryMethod = (typeof theoryMethods)[number];

const settingOptions = {
  n: required(whole(300, 1)),
  /** The consensus rate, in [0, 1]. */
  beta: required(number(0.5, { min: 0, max: 1 })),
  /** Standard deviation of the gradient noise; default 1. */
  sigma: number(1, { min: 0, max: Number.POSITIVE_INFINITY, open: "both" }),
  /** Heterogeneity of the nodes' functions; default 1. DSGT does not depend on it. */
  b: nonnegative(1),
  /** Condition number L / mu; default 1. For strongly convex functions only. */
  kappa: number(1, { min: 1, max: Number.POSITIVE_INFINITY, open: "max" }),
};

type Setting = Values<typeof settingOptions>;

export interface TheorySetting extends Pick<Setting, "n" | "beta">, Partial<Omit<Setting, "n" | "beta">> {}

export interface TheoryTerm {
  readonly name: "linear speedup" | "noise" | "heterogeneity" | "start" | "validity";
  readonly formula: string;
  /** The term after T iterations. */
  at(T: number): number;
  /** From this T on it is at most the first term (Infinity: never). */
  readonly dominatedFrom: number;
}

export interface Convergence {
  readonly method: TheoryMethod;
  /** What is bounded. */
  readonly measure: string;
  /** The first is the linear speedup. */
  readonly terms: readonly TheoryTerm[];
  /** The sum of all terms after T iterations. */
  at(T: number): number;
  readonly transientIterations: number;
  /** The term that takes longest. */
  readonly limitedBy: TheoryTerm["name"];
}

/**
 * The terms of the convergence rate, and the transient iterations.
 *
 * @example
 * ```ts
 * import { odEquiDyn, ring } from "equitopo";
 * import { convergence } from "equitopo/theory";
 * const transient = (beta: number) =>
 *   convergence("dsgd-nonconvex", { n: 300, beta, sigma: 1, b: 1 }).transientIterations.toExponential(1);
 * transient(ring({ n: 300 }).rate().rate) // => "5.9e+22"
 * transient(odEquiDyn({ n: 300 }).rate().rate) // => "9.0e+8"
 * ```
 */
export function convergence(method: TheoryMethod, setting: TheorySetting): Convergence {
  oneOf("method", method, theoryMethods);
  const settled = settle("the theory", settingOptions, setting);
  const terms = termsOf[method]({ ...settled, gap: 1 - settled.beta });
  const slowest = terms.reduce((worst, term) => (term.dominatedFrom > worst.dominatedFrom ? term : worst));
  const [convex, other] = ["weighted mean of f(mean x) - f(x*)", "mean over the iterations of ||grad f(mean x)||^2"];
  return {
    method,
    measure: method === "dsgd-convex" ? convex : other,
    terms,
    at: (T) => terms.reduce((sum, term) => sum + term.at(T), 0),
    transientIterations: slowest.dominatedFrom,
    limitedBy: slowest.name,
  };
}

/** The setting with its defaults, and 1 - beta. */
type Numbers = Setting & { readonly gap: number };

/** a / b, where nothing over nothing is nothing: a term whose factor is 0 is absent, however slow the network. */
const over = (a: number, b: number): number => (a === 0 ? 0 : a / b);

/** The first term of non-convex functions. */
const speedup = (n: number, sigma: number): TheoryTerm => ({
  name: "linear speedup",
  formula: "sigma / sqrt(n T)",
  at: (T) => sigma / Math.sqrt(n * T),
  dominatedFrom: 0,
});

const termsOf: Record<TheoryMethod, (numbers: Numbers) => readonly TheoryTerm[]> = {
  "dsgd-nonconvex": ({ n, beta, gap, sigma, b }) => [
    speedup(n, sigma),
    {
      name: "noise",
      formula: "(beta sigma)^(2/3) / (T^(2/3) (1 - beta)^(1/3))",
      at: (T) => over(Math.cbrt(beta * sigma) ** 2, Math.cbrt(T) ** 2 * Math.cbrt(gap)),
      dominatedFrom: over(beta ** 4 * n ** 3, gap ** 2 * sigma ** 2),
    },
    {
      name: "heterogeneity",
      formula: "(beta b)^(2/3) / (T^(2/3) (1 - beta)^(2/3))",
      at: (T) => over(Math.cbrt(beta * b) ** 2, Math.cbrt(T * gap) ** 2),
      dominatedFrom: over(beta ** 4 * b ** 4 * n ** 3, gap ** 4 * sigma ** 6),
    },
    {
      name: "start",
      formula: "beta / (T (1 - beta))",
      at: (T) => over(beta, T * gap),
      dominatedFrom: over(beta ** 2 * n, gap ** 2 * sigma ** 2),
    },
  ],
  "dsgd-convex": ({ n, beta, gap, sigma, b, kappa }) => [
    { name: "linear speedup", formula: "sigma^2 / (n T)", at: (T) => sigma ** 2 / (n * T), dominatedFrom: 0 },
    {
      name: "noise",
      formula: "kappa beta sigma^2 / ((1 - beta) T^2)",
      at: (T) => over(kappa * beta * sigma ** 2, gap * T ** 2),
      dominatedFrom: over(kappa * beta * n, gap),
    },
    {
      name: "heterogeneity",
      formula: "kappa beta b^2 / ((1 - beta)^2 T^2)",
      at: (T) => over(kappa * beta * b ** 2, gap ** 2 * T ** 2),
      dominatedFrom: over(kappa * beta * b ** 2 * n, gap ** 2 * sigma ** 2),
    },
    {
      name: "start",
      formula: "exp(-(1 - beta) T / kappa) / (1 - beta)",
      at: (T) => Math.exp((-gap * T) / kappa) / gap,
      dominatedFrom: lastCrossing(gap / kappa, (gap * sigma ** 2) / n),
    },
  ],
  dsgt: ({ n, gap, sigma }) => [
    speedup(n, sigma),
    {
      name: "noise",
      formula: "sigma^(2/3) / ((1 - beta) T^(2/3))",
      at: (T) => Math.cbrt(sigma / T) ** 2 / gap,
      dominatedFrom: n ** 3 / (gap ** 6 * sigma ** 2),
    },
    {
      name: "start",
      formula: "1 / ((1 - beta)^2 T)",
      at: (T) => 1 / (gap ** 2 * T),
      dominatedFrom: n / (gap ** 4 * sigma ** 2),
    },
    { name: "validity", formula: "0, the theorem holds for T >= 1 / (1 - beta)", at: () => 0, dominatedFrom: 1 / gap },
  ],
};

/**
 * The largest T with T exp(-a T) = c, or 0 where the left side never exceeds c: u = a T solves u - ln u = -ln(a c),
 * by Newton's method from the right of the larger root, where the left side is convex and rises.
 */
function lastCrossing(a: number, c: number): number {
  if (a === 0) return Number.POSITIVE_INFINITY;
  const level = -Math.log(a * c);
  if (level <= 1) return 0;
  let u = 2 * level;
  for (let step = 0; step < 50; step++) {
    const next = u - (u - Math.log(u) - level) / (1 - 1 / u);
    if (!(next < u)) break;
    u = next;
  }
  return u / a;
}
