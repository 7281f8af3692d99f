/**
 * Table 1: degree and consensus rate of the common topologies, measured here: the true maximum degree and the exact rate for
 * n = 16 ... 65,536, and how 1 - beta falls with n, beside the paper's Theta.
 */

import { type TopologySpec, topologies } from "equitopo";
import { readable } from "equitopo/internal/picture";
import type { Check, Scale } from "equitopo/outcome";
import { logExponent, regression } from "./curves.ts";
import { below } from "./exactness.ts";
import type { Study } from "./study.ts";
import { type RateUnit, rateUnit, resultOf } from "./unit.ts";

/** 1 - beta ~ n^-power (ln n)^-log; both 0: constant. */
type Law = { readonly power: number; readonly log: number };

interface Line {
  readonly title: string;
  /** The paper's entry for the rate. */
  readonly theta: string;
  /** Left out if no rate per round is claimed. */
  readonly law?: Law;
  /** Drawn at random: its rate scatters at a few hundred nodes. */
  readonly scatters?: true;
  spec(n: number): TopologySpec;
}

/** A graph whose rate does not depend on n, with ceil(size ln n) basis graphs. */
const equi = (title: string, theta: string, name: string, size: number, more: object = {}): Line => ({
  title,
  theta,
  law: { power: 0, log: 0 },
  spec: (n) => ({ name, n, m: Math.ceil(size * Math.log(n)), ...more, seed: 1 }),
});

const random = (name: string) => (n: number) => ({ name, n, seed: 1 });
const exponential: Line = { title: "O.-P. Exp.", theta: "finite-time", spec: (n) => ({ name: "one-peer-exp", n }) };

const lines: readonly Line[] = [
  { title: "Ring", theta: "1 − Θ(1/n²)", law: { power: 2, log: 0 }, spec: (n) => ({ name: "ring", n }) },
  // The paper says 1 - Theta(1/(n ln n)); the gap is Theta(1/n).
  { title: "Grid", theta: "1 − Θ(1/(n ln n))", law: { power: 1, log: 0 }, spec: (n) => ({ name: "grid", n }) },
  { title: "Torus", theta: "1 − Θ(1/n)", law: { power: 1, log: 0 }, spec: (n) => ({ name: "torus", n }) },
  { title: "Hypercube", theta: "1 − Θ(1/ln n)", law: { power: 0, log: 1 }, spec: (n) => ({ name: "hypercube", n }) },
  { title: "Static Exp.", theta: "1 − Θ(1/ln n)", law: { power: 0, log: 1 }, spec: (n) => ({ name: "static-exp", n }) },
  exponential,
  { title: "E.-R. Rand", theta: "Θ(1)", law: { power: 0, log: 0 }, scatters: true, spec: random("erdos-renyi") },
  { title: "Geo. Rand", theta: "1 − Θ(ln n/n)", law: { power: 1, log: -1 }, scatters: true, spec: random("geometric") },
  equi("D-EquiStatic", "ρ ∈ (0, 1)", "d-equistatic", 5),
  equi("U-EquiStatic", "ρ ∈ (0, 1)", "u-equistatic", 2),
  equi("OD-EquiDyn", "√((1 + ρ)/2)", "od-equidyn", 5, { eta: 0.5 }),
  equi("OU-EquiDyn", "√((2 + ρ)/3)", "ou-equidyn", 5, { eta: 0.5 }),
];

const isEqui = (line: Line) => topologies.get(line.spec(16).name).group === "equitopo";
const sizes = (scale: Scale) => [16, 64, 256, 1024, 4096, ...(scale === "quick" ? [] : [16_384, 65_536])];
const unitOf = (line: Line, n: number): RateUnit => {
  const unit = rateUnit(`${line.title} n=${n}`, line.spec(n));
  return isEqui(line) ? { ...unit, printed: true } : unit;
};

export const table1: Study = {
  name: "table-1",
  title: "Table 1, measured: degree and exact consensus rate",
  paper: "Table 1",
  shows: "Only the EquiTopo graphs have both a small degree and a rate that does not move towards 1 as n grows.",
  parameters: (scale) => ({
    n: sizes(scale).join(", "),
    M: "ceil(5 ln n); ceil(2 ln n) for U-EquiStatic",
    eta: "1/2",
    "random graphs": "a = 1, Metropolis weights",
  }),
  units: (scale) => lines.flatMap((line) => sizes(scale).map((n) => unitOf(line, n))),
  outcome(results, scale) {
    const n = sizes(scale);
    const checks: Check[] = [];
    const measured = new Map(lines.map((line) => [line, n.map((size) => resultOf(results, unitOf(line, size)))]));
    const rows = [...measured].map(([line, found]) => {
      const gaps = found.map(({ rate }) => 1 - rate);
      const fit = line.law === undefined ? null : fitOf(n, gaps, line.law);
      if (line.law !== undefined && fit !== null) {
        // Random graphs scatter; the closed forms do not.
        const allowance = line.scatters ? 0.25 : 0.12;
        const { power, log } = line.law;
        // Over these n the logarithm grows by less than a factor of four: only its exponent tells 1/ln n from a constant.
        const rest = gaps.map((gap, k) => gap * n[k] ** power);
        const { exponent } = logExponent(n, rest);
        checks.push({
          name: `${line.title}: how 1 − β falls with n`,
          expected: `${lawText(line.law)}: power of n left over within ${allowance} of 0, and of 1/ln n within 1/2 of ${log}`,
          measured: `${fit.toFixed(3)} and ${exponent.toFixed(3)}`,
          pass: Math.abs(fit) < allowance && Math.abs(exponent - log) < 0.5,
        });
      }
      return [
        line.title,
        line.theta,
        line.law === undefined ? "exact after log2 n rounds" : lawText(line.law),
        fit,
        found.map(({ degree }) => degree).join(" · "),
        ...found.map(({ rate }) => rate),
      ];
    });
    const onePeer = (measured.get(exponential) ?? []).map(({ periodRate }) => periodRate);
    checks.push({
      name: "O.-P. Exp.: exact after one period at powers of 2",
      expected: "norm of one period 0 at every n",
      measured: onePeer.join(", "),
      pass: onePeer.every((rate) => rate === 0),
    });
    const betas = n.map((k) => `β(${k})`);
    const own = [...measured].filter(([line]) => isEqui(line)).flatMap(([, found]) => found);
    const largest = Math.max(...own.map(({ rate }) => rate));
    checks.push({
      name: "All EquiTopo graphs: one rate below 1 serves every n",
      expected: "largest exact rate below 0.9",
      measured: largest.toFixed(4),
      pass: largest < 0.9,
    });
    const off = Math.max(...own.map(({ rate, printed }) => Math.abs(rate ** 2 - printed!)));
    checks.push(below("All EquiTopo graphs: rates are those of the formulas", "β² to 1e-9 at every n", off, 1e-9));
    return {
      figures: [
        {
          name: "table-1",
          title: "1 − β against n",
          caption: "The exact spectral gap of each topology. Flat means: as fast at any size.",
          panels: [
            {
              title: "1 − β",
              xLabel: "n",
              yLabel: "1 − β (exact)",
              xLog: true,
              yLog: true,
              series: [...measured].flatMap(([{ title, law, spec }, found]) => {
                const mean = found.map(({ rate }) => 1 - rate);
                return law === undefined ? [] : [{ label: title, topology: spec(16).name, x: n, mean }];
              }),
            },
          ],
        },
      ],
      tables: [
        {
          name: "table-1",
          title: "Table 1, measured",
          columns: ["topology", "paper", "law tested", "power left over", `degree at n = ${n.join(" · ")}`, ...betas],
          rows,
          caption:
            "β is the exact rate per round (root of the mean-square factor for the EquiDyn graphs, worst round for O.-P. Exp.). The law tested for the grid is the true one, Θ(1/n).",
        },
      ],
      checks,
      findings: [
        `Over n = ${readable(n[0])} to ${readable(n[n.length - 1])} no EquiTopo graph has an exact rate above ${largest.toFixed(3)}.`,
      ],
      notes: [
        "The degree of the random graphs is that of their busiest node, which is what a round costs; the paper's ln n is the average.",
      ],
    };
  },
};

/** The power of n that is left in the gap after division by the law. */
function fitOf(n: readonly number[], gaps: readonly number[], { power, log }: Law): number {
  const x = n.map((value) => Math.log(value));
  const left = gaps.map((gap, k) => Math.log(gap) + power * x[k] + log * Math.log(x[k]));
  return regression(x, left).slope;
}

function lawText({ power, log }: Law): string {
  if (power === 0 && log === 0) return "1 − β constant";
  if (power === 0) return "1 − β ~ 1/ln n";
  if (log !== 0) return "1 − β ~ ln n/n";
  return power === 1 ? "1 − β ~ 1/n" : "1 − β ~ 1/n²";
}
