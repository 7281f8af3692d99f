/** The form as a question to the library's adviser, and as the command that asks it. */

import { type AdviseOptions, algorithms } from "equitopo";
import { adviceOptions, learningOptions, unmodelled } from "equitopo/internal/advise";
import { flag } from "../export/specs.ts";
import { initialView, type View } from "../view/view.ts";

/** What can be asked for: the mean of vectors, or a model by any algorithm that the adviser has a model of. */
export const goals: Readonly<Record<string, string>> = {
  average: "the average of vectors",
  ...Object.fromEntries(
    [...algorithms]
      .filter((algorithm) => unmodelled(algorithm) === undefined)
      .map(({ name }) => [name, `a model, by ${name}`]),
  ),
};

/** Of the form's entries those that are options of the adviser, under the same names. */
export function questionOf(view: View): AdviseOptions {
  const isLearning = view.goal !== "average";
  const asked: Partial<Record<string, unknown>> = { ...view, algorithm: isLearning ? view.goal : undefined };
  const names = Object.keys(adviceOptions).filter(
    (name) => asked[name] !== undefined && (isLearning || !(name in learningOptions)),
  );
  return Object.fromEntries(names.map((name) => [name, asked[name]])) as unknown as AdviseOptions;
}

/** What need not be written: the form begins with the adviser's own values, but for these. */
const usual: Readonly<Record<string, unknown>> = { ...initialView, n: undefined, algorithm: undefined, seed: 0 };
const units: Readonly<Record<string, string>> = { latency: "s", bandwidth: "B/s", compute: "s" };

export function commandOf(view: View): string {
  const words = Object.entries(questionOf(view)).flatMap(([name, value]) =>
    value === usual[name] ? [] : flag([name, name in units ? `${value}${units[name]}` : value]),
  );
  return ["equitopo advise", ...words].join(" ");
}
