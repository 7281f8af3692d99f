/** `equitopo rate NAME --outer RULE`: whether a rule of local steps keeps the nodes together over a topology, and how close. */

import { InputError, type Topology } from "equitopo";
import { judgeOuter, type OuterJudgement } from "equitopo/advise";
import { defined } from "equitopo/internal/input";
import { type FormatOptions, type Part, printAnswer } from "../../terminal/answer.ts";
import { type Given, number, on, word } from "../../terminal/flags.ts";
import { showCount } from "../../terminal/numbers.ts";
import { type Cell, numberCell, valueTable } from "../../terminal/table.ts";

/** Options of the rules, by their own names. */
const ofRules = {
  outerRate: number("<S>", "with --outer: the step of an outer update", 0.7),
  outerMomentum: number("<M>", "with --outer: its momentum", 0.9),
  pull: number("<P>", "with --outer noloco or gasloc: the step towards the mixed models", 0.7),
  form: word("<FORM>", "with --outer: published, released, transcribed, mix-first"),
  by: word("<WHAT>", "with --outer slowmo: topology or mean"),
  mixMomentum: on("with --outer gossip-diloco: the momentum is mixed, too"),
};

export const outerFlags = {
  outer: word(
    "<RULE>",
    "in place of the rate: what this rule of local steps does to disagreement (gossip-diloco, noloco ...)",
  ),
  ...ofRules,
};

interface Options extends Given<typeof outerFlags>, FormatOptions {
  readonly rounds?: number;
  readonly json?: true;
}

/** What `rate` makes of a rate alone. */
const ofRates = ["certificate", "plot", "gains"] as const;

/** Options of a rule without one to take them, and options of the rate beside a rule. */
export function requireRule(options: Options & { readonly [name in (typeof ofRates)[number]]?: unknown }): void {
  const unused = ofRates.find((key) => options[key] !== undefined);
  if (options.outer !== undefined && unused !== undefined) {
    throw new InputError(
      `--${unused} is of the rate, in whose place --outer is`,
      `--${unused}`,
      "leave out one of them",
    );
  }
  const stray = Object.keys(ofRules).find((key) => options[key as keyof Options] !== undefined);
  if (options.outer !== undefined || stray === undefined) return;
  throw new InputError(
    `${stray} is an option of an outer rule`,
    options[stray as keyof Options],
    "add --outer gossip-diloco",
  );
}

/** What is judged of the rule that was named, with the options that were given. */
export function judgedBy(topology: Topology, options: Options): OuterJudgement {
  const { outer: name, rounds, outerRate, outerMomentum, pull, form, by, mixMomentum } = options;
  const given = defined({ rounds, outerRate, outerMomentum, pull, form, by, mixMomentum });
  return judgeOuter(topology, { name: name!, ...given });
}

export async function rateOuter(topology: Topology, options: Options): Promise<void> {
  const judged = judgedBy(topology, options);
  const finite = Number.isFinite(judged.disagreement) ? judged.disagreement : null;
  const answer = { topology: topology.name, n: topology.n, ...judged, disagreement: finite };
  await printAnswer(answer, () => inWords(topology, judged), options);
}

function inWords(
  { name, n }: Topology,
  { rule, factor, stable, disagreement, method, error, largest }: OuterJudgement,
): Part[] {
  const about = (value: number | undefined) => (value === undefined ? method : `${method}, +- ${value.toPrecision(1)}`);
  const settles = "of the nodes, per unit of independent local drift and of progress, root mean square";
  const lines: [string, Cell, string][] = [
    [
      "factor",
      numberCell(factor, (value) => value.toFixed(4)),
      `of disagreement in an outer step, in the long run; ${about(error?.factor)}`,
    ],
    ["stable", stable ? "yes" : "no", stable ? "what local steps put in dies out" : "disagreement grows without end"],
    [
      "disagreement",
      stable ? numberCell(disagreement, (value) => value.toPrecision(4)) : "-",
      `${settles}; ${about(error?.disagreement)}`,
    ],
  ];
  for (const [option, most] of Object.entries(largest)) {
    const any = option === "outerMomentum" && most === 1;
    lines.push([
      option,
      any ? "below 1" : numberCell(most, String),
      any ? "any is stable" : "the largest stable one, all else as given",
    ]);
  }
  const { name: ruleName, steps: _s, inner: _i, ...options } = rule;
  const words = Object.entries(options).map(([key, value]) => `${key} ${value}`);
  const title = `${ruleName} over ${name}, n = ${showCount(n)}`;
  return [`${title}\n${words.join(", ")}\n\n`, valueTable(lines, title)];
}
