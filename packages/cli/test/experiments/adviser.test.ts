/** The study of the adviser on requests that it does not make itself, and the figures that `advise` prints. */

import { adviceOn, experiments, methods, regretOf, requestOf } from "@equitopo/experiments/internal";
import { advise } from "equitopo";
import { expectedErrors } from "equitopo/internal/advise";
import { expect, test } from "vitest";

test("requests beyond those of the study: forecasts hold, choices are good, nothing diverges", () => {
  const answers = methods.map((_, k) => adviceOn({ kind: "advice", key: "", number: 11_000 + k }));
  expect(new Set(answers.map(({ algorithm }) => algorithm)).size).toBe(methods.length);
  const rows = answers.flatMap((answer) => answer.rows);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ diverges }) => diverges)).toEqual([]);
  const near = rows.filter(
    ({ forecast, measured }) => measured !== null && Math.abs(Math.log(measured / forecast)) < Math.log(1.2),
  );
  expect(near.length / rows.length).toBeGreaterThan(0.8);
  for (const answer of answers) if (answer.rows.length > 0) expect(regretOf(answer)).toBeLessThan(0.25);
});

test("a request has the condition number and heterogeneity of its data", () => {
  const { asked, problem, L } = requestOf(5);
  const { mu, b } = problem.constants();
  expect(asked.kappa).toBe(L / mu);
  expect(asked.b).toBe(b / (L * Math.hypot(...problem.solution())));
});

test("regret is what the first row costs beyond the best one", () => {
  const row = { label: "", forecast: 10, diverges: false };
  const rows = [
    { ...row, measured: 30, pace: 1 },
    { ...row, measured: 10, pace: 2 },
    { ...row, measured: null, pace: 1 },
  ];
  expect(regretOf({ algorithm: "dsgt", rows })).toBe(0.5);
});

test("advise prints what the study found of the method", () => {
  expect(experiments.map(({ name }) => name)).toContain("adviser");
  expect(methods.length).toBeGreaterThan(10);
  expect(advise({ n: 8, algorithm: "dsgt", topologies: ["ring"] }).expected).toBe(expectedErrors["dsgt"]);
  expect(advise({ n: 8, topologies: ["ring"] }).expected).toBeUndefined();
});
