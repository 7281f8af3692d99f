/** Advice in words: the ranking, the reasons, what was left out, and how to run and check it. */

import { type Advice, type AdviceRow, parseSpec, type SpecDocument } from "equitopo";
import type { Checked } from "equitopo/advise";
import { alike, certainties, leftOut } from "equitopo/internal/advise";
import type { Part } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount, showFactor, showSeconds } from "../../terminal/numbers.ts";
import { type CellColumn, left, numberCell, right, type Table, tableOf } from "../../terminal/table.ts";
import { asFlags } from "../../topology/options.ts";

/** `shown` are the rows of the ranking, and reasons of those left out, at most. */
export function adviceInWords(advice: Advice, shown: number, checked: readonly Checked[] | undefined): Part[] {
  const groups = shown < advice.ranking.length ? alike(advice.ranking) : advice.ranking.map((row) => [row]);
  const visible = groups.filter((rows, k) => k < shown || rows.some((row) => isLandmark(row, advice)));
  const more = groups.length - visible.length;
  return [
    `${goalOf(advice)}\n`,
    rankingTable(advice, visible),
    more > 0 ? `... and ${more} more; --all shows them\n\n` : "\n",
    `${wrapped(advice.why)}\n\n`,
    `${certaintyNotes(visible.map(([row]) => row))}${expectation(advice)}\n`,
    `${wrapped(leftOutInWords(advice, shown))}\n\n`,
    howToRun(advice),
    ...(checked === undefined ? [] : ["\n", checkTable(checked)]),
  ];
}

function goalOf({ question }: Advice): string {
  const { n, degree, undirected, algorithm, tolerance, loss, heterogeneous, kappa, b, sigma } = question;
  const on = `kappa = ${kappa}, b = ${b}, sigma = ${sigma}${heterogeneous ? ", sorted data" : ""}`;
  const error = showFactor(tolerance);
  const goal = algorithm ? `${algorithm} to a relative error of ${error} (${on})` : `average to ${error}`;
  const limits = [
    ...(degree === undefined ? [] : [`at most ${degree} peer${degree === 1 ? "" : "s"} a round`]),
    ...(undirected ? ["undirected"] : []),
    ...(loss > 0 ? [`${Number((100 * loss).toPrecision(3))} % of messages dropped`] : []),
  ];
  const network = `vectors of ${showBytes(question.modelBytes)}, ${showSeconds(question.latency)} and ${showBytes(question.bandwidth)}/s`;
  const compute = question.compute > 0 && algorithm ? `, ${showSeconds(question.compute)} a gradient` : "";
  return `${wrapped(`n = ${showCount(n)}: ${[goal, ...limits].join(", ")}`)}\n${network}${compute}; by ${question.by}\n`;
}

/** Wherever they stand, an all-reduce and the best of the paper's graphs are shown. */
function isLandmark(row: AdviceRow, { ranking }: Advice): boolean {
  return row.spec === undefined || row === ranking.find(({ group }) => group === "equitopo");
}

const cellIf = (value: number | undefined, show: (value: number) => string) =>
  value === undefined ? "" : numberCell(value, show);

function rankingTable({ question, ranking }: Advice, groups: readonly AdviceRow[][]): Table {
  const learning = question.algorithm !== undefined;
  const columns: CellColumn<readonly AdviceRow[]>[] = [
    [left("topology"), (rows) => (rows.length > 1 ? `${rows[0].label} (+${rows.length - 1} alike)` : rows[0].label)],
    [right("peers"), ([{ degree }]) => numberCell(degree, showCount)],
    [right(learning ? "iterations" : "rounds"), ([{ rounds }]) => numberCell(rounds, showCount)],
    [right("time"), ([{ seconds }]) => numberCell(seconds, showSeconds)],
    [right("bytes/node"), ([{ bytes }]) => numberCell(bytes, showBytes)],
    ranking.some((row) => row.gain !== undefined) && [
      right("gain"),
      ([{ gain }]) => cellIf(gain, (value) => value.toFixed(2)),
    ],
    learning && [right("step x L"), ([{ step }]) => cellIf(step, (value) => String(Number(value.toPrecision(2))))],
    ranking.some((row) => row.shift !== undefined) && [
      right("mean moves"),
      ([{ shift = 0 }]) => numberCell(shift, (value) => (value < 1e-9 ? "0" : value.toFixed(4))),
    ],
    [left("sure"), ([{ certainty }]) => certainty],
  ];
  return tableOf(columns, groups);
}

function certaintyNotes(rows: readonly AdviceRow[]): string {
  const notes = [...new Set(rows.map(({ certainty }) => `${certainty}: ${certainties[certainty]}`))];
  if (rows.some(({ shift = 0 }) => shift >= 1e-9)) {
    notes.push("mean moves: as a fraction of the nodes' distance from it; --undirected keeps it");
  }
  return `${notes.map((text) => `  ${wrapped(text, "    ")}`).join("\n")}\n`;
}

/** How good forecasts of the method are, from the study of the adviser. */
function expectation({ question, expected }: Advice): string {
  if (expected === undefined) return "";
  const share = Number((100 * expected).toFixed(1));
  const text = `Forecasts of ${question.algorithm}: ${share} % within a fifth of a simulation, over the random requests of equitopo reproduce adviser.`;
  return `${wrapped(text)}\n`;
}

function leftOutInWords(advice: Advice, shown: number): string {
  const groups = leftOut(advice).map(([reason, labels]) => `${labels.join(", ")} (${reason})`);
  if (groups.length === 0) return "Nothing was left out.";
  const more = groups.length - shown;
  const rest = more > 0 ? `; and for ${more} more reason${more === 1 ? "" : "s"}, which --all shows` : "";
  return `Left out: ${groups.slice(0, shown).join("; ")}${rest}.`;
}

function howToRun(advice: Advice): string {
  const best = advice.ranking.find(({ spec }) => spec !== undefined);
  if (best?.spec === undefined) return "No topology fits: only an all-reduce gets there.\n";
  const { question } = advice;
  const flags = asFlags(best.spec);
  const drop = question.loss > 0 ? ` --drop ${question.loss}` : "";
  const check =
    question.algorithm === undefined && flags !== undefined
      ? `equitopo gossip ${flags} --rounds ${best.rounds} --dim 4${drop}`
      : "the same command with --check, or --spec advised.json and then: equitopo run advised.json";
  return `To run ${best.label}: ${JSON.stringify(best.spec)}\nTo check:  ${check}\n`;
}

/** A document for `equitopo run`: the first topology, with the method at the predicted step on the paper's least squares. */
export function asDocument({ question, ranking }: Advice): SpecDocument | null {
  const best = ranking.find(({ spec }) => spec !== undefined);
  if (best?.spec === undefined) return null;
  const { algorithm = "dsgd", loss, seed } = question;
  return parseSpec({
    title: `${algorithm} over ${best.label}, as advised`,
    topologies: [best.spec],
    // L of the paper's least squares with 50 rows of 10 normal numbers a node is about 120.
    algorithms: [{ name: algorithm, learningRate: Number(((best.step ?? 0.1) / 120).toPrecision(3)) }],
    problem: { name: "least-squares", sigmaH: 1, sigmaN: 0 },
    rounds: question.algorithm === undefined ? 200 : Math.min(best.rounds, 20_000),
    seeds: [seed],
    ...(loss > 0 ? { faults: { drop: loss } } : {}),
  });
}

function checkTable(checked: readonly Checked[]): Table {
  const late = "not reached, or too long to run";
  const columns: CellColumn<Checked>[] = [
    [left("checked"), ({ label }) => label],
    [right("predicted"), ({ predicted }) => numberCell(predicted, showCount)],
    [right("measured"), ({ measured }) => (measured === null ? "-" : numberCell(measured, showCount))],
    [left(""), ({ measured, holds }) => (holds ? "holds" : measured === null ? late : "does not hold")],
  ];
  return tableOf(columns, checked);
}
