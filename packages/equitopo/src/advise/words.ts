/** Why, in two sentences: what makes the first the first, and what that says of the paper's graphs. */

import { algorithms } from "../algorithm/registry.ts";
import type { AdviceRow } from "./advise.ts";
import type { Question } from "./question.ts";

export function reasons(question: Question, ranking: readonly AdviceRow[]): string {
  const [first] = ranking;
  // What costs the same to the last bit is the same rounds by another name, or under other labels.
  const second = ranking.find((row) => row.seconds !== first.seconds || row.bytes !== first.bytes);
  return `${whyFirst(question, first, second)} ${aboutThePaper(question, ranking)}`;
}

const unit = ({ algorithm }: Question) => (algorithm === undefined ? "round" : "iteration");
const plural = (count: number, word: string) => `${count.toLocaleString("en-GB")} ${word}${count === 1 ? "" : "s"}`;

/** What is ranked by. */
const costOf = ({ by }: Question, row: AdviceRow) => (by === "time" ? row.seconds : row.bytes);

function times(question: Question, row: AdviceRow, best: AdviceRow): string {
  const factor = costOf(question, row) / costOf(question, best);
  const what = question.by === "time" ? "the time" : "the bytes";
  return factor < 1.005 ? `the same ${what.slice(4)}` : `${Number(factor.toPrecision(3))} times ${what}`;
}

function whyFirst(question: Question, first: AdviceRow, second: AdviceRow | undefined): string {
  const taken = plural(first.rounds, unit(question));
  const how: Record<AdviceRow["certainty"], string> = {
    exact: "exactly",
    "at most": "at most",
    "mean square": "in mean square",
    sampled: "as sampled",
    model: "by the model of its gain",
    run: "in a run on the model problem",
    late: "foretold from a run on the model problem",
  };
  const what = first.spec === undefined ? "one exact mean each" : `${plural(first.degree, "peer")} at most in each`;
  // Rounding is no shift.
  const moved =
    first.shift === undefined || first.shift < 1e-9 ? "" : `, and moves the mean by ${first.shift.toPrecision(2)}`;
  const next = second === undefined ? "" : `; next comes ${second.label} at ${times(question, second, first)}`;
  return `${first.label} takes ${taken} (${how[first.certainty]}), ${what}${moved}${next}.`;
}

/** Where the paper's graphs win that is said, and where they do not, that. An all-reduce is no topology: they are held against the best one. */
function aboutThePaper(question: Question, ranking: readonly AdviceRow[]): string {
  const best = ranking.find(({ spec }) => spec !== undefined);
  // Under fresh labels they are no longer the paper's.
  const paper = ranking.find(({ group, spec }) => group === "equitopo" && spec?.["relabel"] !== true);
  if (paper === undefined || best === undefined) return "None of the paper's graphs fits.";
  const here = best === ranking[0] ? "here" : "where there is no all-reduce";
  const cause = causeOf(question);
  if (paper === best) return `The paper's graphs are the best choice ${here}: ${cause.wins}.`;
  const lag = times(question, paper, best);
  // A prediction is no more exact than a tenth.
  if (costOf(question, paper) < 1.1 * costOf(question, best)) {
    return `The best of the paper's graphs, ${paper.label}, is as good (${lag} of ${best.label}): ${cause.wins}.`;
  }
  const taken = plural(paper.rounds, unit(question));
  const against = best === ranking[0] ? lag : `${lag} of ${best.label}`;
  const labelled = best.group === "equitopo" ? " with fixed labels" : "";
  return `The paper's graphs${labelled} are not the best choice ${here}: the best of them, ${paper.label}, takes ${taken}, ${against}, because ${cause.loses}.`;
}

function causeOf({ algorithm, heterogeneous, loss }: Question): { readonly wins: string; readonly loses: string } {
  const isotropic = "fresh random rounds treat every direction alike, so that their worst gain is their mean one";
  const peers = "another's gain is smaller: it leaves less disagreement to each step, or costs less a step";
  if (algorithm !== undefined && algorithms.get(algorithm).exact) {
    return {
      wins: "over rounds that serve every direction alike the method bears large steps",
      loses: "over another the method takes fewer iterations, or each of them costs less",
    };
  }
  if (algorithm !== undefined) {
    return heterogeneous
      ? { wins: isotropic, loses: peers }
      : { wins: "on shuffled data most graphs of a degree have much the same gain", loses: peers };
  }
  if (loss > 0) {
    return {
      wins: "a dropped message costs random rounds one message, and exact rounds their exactness",
      loses: "another averages more in a round even if messages are dropped",
    };
  }
  return {
    wins: "no exact rounds of this kind fit",
    loses: "random or fixed shifts shrink disagreement by a constant factor a round and never make it 0",
  };
}
