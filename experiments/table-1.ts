/**
 * Table 1: degree and consensus rate of the common topologies, here measured: the true maximum degree and the exact rate
 * for n = 16 ... 65,536, and how 1 - beta falls with n, beside the paper's Theta.
 */

import { type TopologySpec, topologies } from "equitopo";
import { readable } from "equitopo/picture";
import { logExponent, slope } from "./curves.ts";
import type { Check, Experiment, Scale } from "./experiment.ts";
import type { RateResult, RateUnit } from "./unit.ts";

interface Line {
  readonly title: string;
  /** The paper's entry for the rate. */
  readonly theta: string;
  /** 1 - beta ~ n^-power (ln n)^-log; both 0: constant. Undefined where no rate per round is claimed. */
  readonly law?: { readonly power: number; readonly log: number };
  /** Drawn at random: graphs of a few hundred nodes scatter. */
  readonly scatters?: true;
  spec(n: number): TopologySpec;
}

const random = (name: string) => (n: number) => ({ name, n, seed: 1 });

const lines: readonly Line[] = [
  { title: "Ring", theta: "1 − Θ(1/n²)", law: { power: 2, log: 0 }, spec: (n) => ({ name: "ring", n }) },
  // The paper says 1 - Theta(1/(n ln n)); the gap is Theta(1/n).
  { title: "Grid", theta: "1 − Θ(1/(n ln n))", law: { power: 1, log: 0 }, spec: (n) => ({ name: "grid", n }) },
  { title: "Torus", theta: "1 − Θ(1/n)", law: { power: 1, log: 0 }, spec: (n) => ({ name: "torus", n }) },
  { title: "Hypercube", theta: "1 − Θ(1/ln n)", law: { power: 0, log: 1 }, spec: (n) => ({ name: "hypercube", n }) },
  { title: "Static Exp.", theta: "1 − Θ(1/ln n)", law: { power: 0, log: 1 }, spec: (n) => ({ name: "static-exp", n }) },
  { title: "O.-P. Exp.", theta: "finite-time", spec: (n) => ({ name: "one-peer-exp", n }) },
  { title: "E.-R. Rand", theta: "Θ(1)", law: { power: 0, log: 0 }, scatters: true, spec: random("erdos-renyi") },
  { title: "Geo. Rand", theta: "1 − Θ(ln n/n)", law: { power: 1, log: -1 }, scatters: true, spec: random("geometric") },
  {
    title: "D-EquiStatic",
    theta: "ρ ∈ (0, 1)",
    law: { power: 0, log: 0 },
    spec: (n) => ({ name: "d-equistatic", n, m: Math.ceil(5 * Math.log(n)), seed: 1 }),
  },
  {
    title: "U-EquiStatic",
    theta: "ρ ∈ (0, 1)",
    law: { power: 0, log: 0 },
    spec: (n) => ({ name: "u-equistatic", n, m: Math.ceil(2 * Math.log(n)), seed: 1 }),
  },
  {
    title: "OD-EquiDyn",
    theta: "√((1 + ρ)/2)",
    law: { power: 0, log: 0 },
    spec: (n) => ({ name: "od-equidyn", n, m: Math.ceil(5 * Math.log(n)), eta: 0.5, seed: 1 }),
  },
  {
    title: "OU-EquiDyn",
    theta: "√((2 + ρ)/3)",
    law: { power: 0, log: 0 },
    spec: (n) => ({ name: "ou-equidyn", n, m: Math.ceil(5 * Math.log(n)), eta: 0.5, seed: 1 }),
  },
];

const isEqui = (line: Line) => topologies.get(line.spec(16).name).group === "equitopo";
const sizes = (scale: Scale) => [16, 64, 256, 1024, 4096, ...(scale === "quick" ? [] : [16_384, 65_536])];
const unitOf = (line: Line, n: number): RateUnit => ({
  kind: "rate",
  key: `${line.title} n=${n}`,
  topology: line.spec(n),
  ...(isEqui(line) ? { printed: true as const } : {}),
});

export const table1: Experiment = {
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
    const checks: Check[] = [];
    const rows = lines.map((line) => {
      const measured = sizes(scale).map((n) => results.get(unitOf(line, n).key) as RateResult);
      const fit =
        line.law === undefined
          ? null
          : fitOf(
              sizes(scale),
              measured.map((r) => 1 - r.rate),
              line.law,
            );
      if (line.law !== undefined && fit !== null) {
        // Random graphs of a few hundred nodes scatter; the closed forms do not.
        const allowance = line.scatters ? 0.25 : 0.12;
        const { power, log } = line.law;
        const left = sizes(scale).map((n, k) => (1 - measured[k].rate) * n ** power);
        // Over these n the logarithm grows by less than a factor of four: only its exponent tells 1/ln n from a constant.
        const { exponent } = logExponent(sizes(scale), left);
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
        fit === null ? "exact after log2 n rounds" : lawText(line.law!),
        fit,
        measured.map((r) => r.degree).join(" · "),
        ...measured.map((r) => r.rate),
      ];
    });
    const onePeer = sizes(scale).map((n) => (results.get(`O.-P. Exp. n=${n}`) as RateResult).periodRate);
    checks.push({
      name: "O.-P. Exp.: exact after one period at powers of 2",
      expected: "norm of one period 0 at every n",
      measured: onePeer.join(", "),
      pass: onePeer.every((rate) => rate === 0),
    });
    const equi = lines.filter(isEqui);
    const largest = Math.max(
      ...equi.flatMap((line) => sizes(scale).map((n) => (results.get(unitOf(line, n).key) as RateResult).rate)),
    );
    checks.push({
      name: "All EquiTopo graphs: one rate below 1 serves every n",
      expected: "largest exact rate below 0.9",
      measured: largest.toFixed(4),
      pass: largest < 0.9,
    });
    const off = Math.max(
      ...equi.flatMap((line) =>
        sizes(scale).map((n) => {
          const { rate, printed } = results.get(unitOf(line, n).key) as RateResult;
          return Math.abs(rate ** 2 - printed!);
        }),
      ),
    );
    checks.push({
      name: "All EquiTopo graphs: rates are those of the formulas",
      expected: "β² to 1e-9 at every n",
      measured: off.toExponential(1),
      pass: off < 1e-9,
    });
    const n = sizes(scale);
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
              series: lines
                .filter((line) => line.law !== undefined)
                .map((line) => ({
                  label: line.title,
                  topology: line.spec(16).name,
                  x: n,
                  mean: n.map((size) => 1 - (results.get(unitOf(line, size).key) as RateResult).rate),
                })),
            },
          ],
        },
      ],
      tables: [
        {
          name: "table-1",
          title: "Table 1, measured",
          columns: [
            "topology",
            "paper",
            "law tested",
            "power left over",
            `degree at n = ${n.join(" · ")}`,
            ...n.map((k) => `β(${k})`),
          ],
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

/** The power of n that is left in the gap once the law is divided out. */
function fitOf(n: readonly number[], gaps: readonly number[], law: { power: number; log: number }): number {
  const x = n.map((value) => Math.log(value));
  return slope(
    x,
    gaps.map((gap, k) => Math.log(gap) + law.power * x[k] + law.log * Math.log(x[k])),
  );
}

function lawText({ power, log }: { power: number; log: number }): string {
  if (power === 0 && log === 0) return "1 − β constant";
  if (power === 0) return "1 − β ~ 1/ln n";
  if (log !== 0) return "1 − β ~ ln n/n";
  return power === 1 ? "1 − β ~ 1/n" : "1 − β ~ 1/n²";
}
