/** The form as a question to the library's adviser, and as the command that asks it. */

import type { AdviseOptions } from "equitopo";
import { flag } from "../export/specs.ts";
import { initialView, type View } from "../view/view.ts";

/** The form's entries that are options of the adviser under the same names; those of learning on their own. */
const asked: readonly (keyof View)[] = [
  ...(["degree", "undirected", "by", "loss"] as const),
  ...(["modelBytes", "latency", "bandwidth", "seed", "tolerance"] as const),
];
const askedOfLearning = ["heterogeneous", "kappa", "b", "sigma", "compute"] as const;

export function questionOf(view: View): AdviseOptions {
  const { n, goal } = view;
  const given = (names: readonly (keyof View)[]) =>
    Object.fromEntries(names.flatMap((name) => (view[name] === undefined ? [] : [[name, view[name]]])));
  return { n, ...given(asked), ...(goal === "average" ? {} : { algorithm: goal, ...given(askedOfLearning) }) };
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
