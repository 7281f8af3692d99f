/**
 * The adviser held against simulations: random requests of every method that it knows (advice.ts). Regret: by how much the
 * topology that comes first costs more time than the one that would have been best.
 */

import { expectedErrors } from "equitopo/internal/advise";
import type { Check, Results, Scale } from "equitopo/internal/outcome";
import { type AdviceUnit, type Answer, MOST, methods, regretOf } from "./advice.ts";
import type { Study } from "./study.ts";
import { resultOf } from "./unit.ts";

const units = (scale: Scale): AdviceUnit[] =>
  Array.from({ length: methods.length * (scale === "full" ? 46 : 2) }, (_, number) => ({
    ...{ kind: "advice", key: `request ${number}`, number },
  }));

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const shareOf = <T>(values: readonly T[], holds: (value: T) => boolean) => values.filter(holds).length / values.length;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** What came of the requests of one method, or of all. */
function summaryOf(answers: readonly Answer[]) {
  const rows = answers.flatMap((answer) => answer.rows);
  const ratios = rows.map(({ measured, forecast }) => (measured ?? Number.POSITIVE_INFINITY) / forecast);
  const regrets = answers.filter((answer) => answer.rows.length > 0).map(regretOf);
  return {
    ...{ requests: answers.length, rows: rows.length },
    within: shareOf(ratios, (ratio) => ratio <= 1.2 && ratio >= 1 / 1.2),
    ratio: [0.1, 0.5, 0.9].map((share) => at(ratios, share)),
    regret: at(regrets, 0.5),
    beaten: shareOf(regrets, (regret) => regret > 0.2),
    diverges: rows.filter((row) => row.diverges).length,
  };
}

function summaries(results: Results, scale: Scale) {
  const answers = units(scale).map((unit) => resultOf(results, unit));
  const by = methods.map((method) => [method, summaryOf(answers.filter((one) => one.algorithm === method))] as const);
  return { by, all: summaryOf(answers) };
}

const goal = (name: string, expected: string, value: number, pass: boolean): Check => ({
  ...{ name, expected, measured: percent(value), pass },
});

export const adviser: Study = {
  name: "adviser",
  title: "What the adviser says of gradient methods, and what happens",
  paper: "Not in the paper",
  shows:
    "Forecasts of iterations are within a fifth of what a simulation takes, and what is advised is hardly ever beaten.",
  parameters: (scale) => ({
    requests: `${units(scale).length}, in turn of ${methods.join(", ")}`,
    drawn: "6 to 36 nodes, 1 to 8 peers, undirected, sorted, 5 % of messages dropped, tolerance, stretched directions",
    problem: "least squares, d = 10, 50 rows a node, its own kappa and b in the question; full gradients",
    measured: `every row of at most ${MOST} iterations, at the advised step`,
  }),
  units,
  outcome(results, scale) {
    const { by, all } = summaries(results, scale);
    const line = (name: string, one: ReturnType<typeof summaryOf>) => [
      ...[name, one.requests, one.rows, percent(one.within), one.ratio.map((ratio) => ratio.toFixed(2)).join(" / ")],
      ...[percent(one.regret), percent(one.beaten), one.diverges],
    ];
    return {
      figures: [
        {
          name: "adviser",
          title: "Forecasts within a fifth of the simulation",
          caption: "Share of the rows of all rankings of a method.",
          xLabel: "share of rows",
          bars: by.map(([label, { within }]) => ({ label, topology: "od-equidyn", value: within })),
        },
      ],
      tables: [
        {
          name: "adviser",
          title: "Forecasts and choices, method by method",
          columns: [
            ...["method", "requests", "rows", "within a fifth", "measured / forecast (10, 50, 90 %)"],
            ...["median regret", "regret above 20 %", "diverge"],
          ],
          rows: [...by.map(([name, one]) => line(name, one)), line("all", all)],
        },
      ],
      checks: [
        goal("median regret", "at most 1 %", all.regret, all.regret <= 0.01),
        goal("requests with a regret above 20 %", "at most 5 %", all.beaten, all.beaten <= 0.05),
        ...by.flatMap(([method, { within, rows, diverges }]) => [
          goal(`${method}: rows within a fifth`, "at least 80 %", within, within >= 0.8),
          goal(`${method}: rows that diverge`, "none", diverges / rows, diverges === 0),
          ...(scale === "full" ? [printed(method, within)] : []),
        ]),
      ],
    };
  },
};

/** `advise` prints what this study found. */
function printed(method: string, within: number): Check {
  const expected = expectedErrors[method];
  return goal(`${method}: what advise prints`, percent(expected), within, Math.abs(within - expected) < 0.005);
}
