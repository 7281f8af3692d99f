/** Topologies side by side as a table of at most 110 columns, with what its numbers mean underneath. */

import type { Topology } from "equitopo";
import { differencesInWords, listed } from "equitopo/internal/outcome";
import type { Part } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount, showFactor, showRate, showRateOf } from "../../terminal/numbers.ts";
import {
  type Cell,
  type CellColumn,
  type Column,
  left,
  numberCell,
  right,
  summaryCell,
  tableOf,
} from "../../terminal/table.ts";
import { notConnected } from "../../topology/notes.ts";
import type { Row, RowCost } from "./comparison.ts";
import type { Refusal } from "./entrants.ts";
import { groupOf } from "./figure.ts";
import type { ComparisonOptions, NetworkFaults } from "./options.ts";
import { rowDifferences } from "./over-seeds.ts";

export interface Comparison {
  readonly rows: readonly Row[];
  /** For every n that is compared. */
  readonly allReduce: readonly (readonly [n: number, cost: RowCost])[];
  readonly refused: readonly Refusal[];
}

/** The all-reduce's line of the table. */
interface AllReduce {
  readonly n: number;
  readonly cost: RowCost;
}

type Line = Row | AllReduce;

const isReduce = (line: Line): line is AllReduce => "cost" in line;

export function comparisonInWords(comparison: Comparison, options: ComparisonOptions & { quiet?: true }): Part[] {
  const { rows, allReduce } = comparison;
  const { tolerance, dim, float32, faults } = options;
  const shown = shownColumns(rows, allReduce.length, faults);
  const lines = sorted([...rows, ...allReduce.map(([n, cost]) => ({ n, cost }))]);
  const vector = `${showCount(dim)} numbers of ${float32 ? 4 : 8} bytes`;
  const title = `n = ${allReduce.map(([n]) => showCount(n)).join(", ")}: what it takes to shrink disagreement by ${showFactor(tolerance)}, vectors of ${vector}`;
  const notes = options.quiet ? [] : notesOn(comparison, shown, options);
  const foot = notes.length === 0 ? "" : `\n${notes.map((text) => wrapped(text)).join("\n")}\n`;
  return [`${wrapped(title)}\n\n`, tableOf(columnsOf(shown), lines, title), foot];
}

/** Your own graphs and the EquiTopo graphs first; the others, the all-reduce among them, by the bytes that they take. */
function sorted(lines: readonly Line[]): Line[] {
  const order = { own: 0, equitopo: 1, baseline: 2, rival: 2 };
  const placeOf = (line: Line) => order[isReduce(line) ? "rival" : line.own ? "own" : groupOf(line.topology.name)];
  const bytesOf = (line: Line) => (isReduce(line) ? line.cost : (line.measured ?? line.predicted)).bytes;
  return [...lines].sort((a, b) => placeOf(a) - placeOf(b) || (placeOf(a) === 2 ? bytesOf(a) - bytesOf(b) : 0));
}

/** Columns that only some tables have. */
function shownColumns(rows: readonly Row[], sizes: number, faults: NetworkFaults | undefined) {
  // What faults do takes the place of what happens in the long run without them.
  return {
    n: sizes > 1,
    period: faults === undefined && rows.some(({ rate }) => rate.periodRate !== undefined),
    asymptotic: faults === undefined && rows.some(({ rate }) => rate.asymptotic !== undefined),
    faults: faults !== undefined,
  };
}

type Shown = ReturnType<typeof shownColumns>;

function columnsOf({ n, period, asymptotic, faults }: Shown): CellColumn<Line>[] {
  const of = (column: Column, cell: (row: Row) => Cell, reduced: string): CellColumn<Line> => [
    column,
    (line) => (isReduce(line) ? reduced : cell(line)),
  ];
  const rateIfKnown = (rate: number | undefined) => (rate === undefined ? "" : numberCell(rate, showRate));
  return [
    of(left("topology"), ({ label }) => label, "all-reduce"),
    n && [right("n"), (line) => numberCell(isReduce(line) ? line.n : line.topology.n, showCount)],
    of(
      right("degree"),
      ({ topology, overSeeds }) => numberCell(overSeeds?.degree.mean ?? topology.maxDegree, showMean),
      "1",
    ),
    of(right("rate"), rateCell, "0"),
    period && of(right("over a\nperiod"), ({ rate }) => rateIfKnown(rate.periodRate), ""),
    asymptotic && of(right("in the\nlong run"), ({ rate }) => rateIfKnown(rate.asymptotic), ""),
    of(right("gain\nrms/worst"), ({ gains }) => showGains(gains), "0.00/0.00"),
    of(right("rounds\npredicted"), ({ predicted }) => numberCell(predicted.rounds, showMean), "1"),
    of(right("rounds\nmeasured"), measuredCell, "1"),
    faults && of(right("rounds\nwith faults"), ({ faulty }) => cellIf(faulty?.rounds, showMean), ""),
    faults && of(right("shift of\nthe mean"), ({ faulty }) => cellIf(faulty?.shift, showShift), ""),
    [right("bytes/node\nmeasured"), (line) => cellIf((isReduce(line) ? line.cost : line.measured)?.bytes, showBytes)],
  ];
}

const cellIf = (value: number | undefined, show: (value: number) => string) =>
  value === undefined ? "-" : numberCell(value, show);

function rateCell({ rate, overSeeds }: Row): Cell {
  const show = () => showRateOf(rate);
  return overSeeds ? summaryCell(overSeeds.seeds.length, overSeeds.rate, show) : numberCell(rate.rate, show);
}

function measuredCell({ measured, overSeeds }: Row): Cell {
  if (measured === null) return "-";
  if (!overSeeds?.rounds) return numberCell(measured.rounds, showMean);
  return summaryCell(overSeeds.seeds.length, overSeeds.rounds, showMean);
}

function showGains(gains: Row["gains"]): string {
  if (gains === undefined || gains.worst === Number.POSITIVE_INFINITY) return "-";
  const show = (value: number) => (value < 100 ? value.toFixed(2) : showCount(Math.round(value)));
  return `${gains.method === "sampled" ? "~" : ""}${show(gains.rms)}/${show(gains.worst)}`;
}

/** A mean over seeds may lie between two whole numbers. */
const showMean = (value: number) => showCount(Number.isInteger(value) ? value : Number(value.toFixed(1)));

/** Rounding is no shift. */
const showShift = (shift: number) => (shift < 1e-9 ? "0" : shift.toFixed(4));

function notesOn({ rows, refused, allReduce }: Comparison, shown: Shown, options: ComparisonOptions): string[] {
  const { faults, degree, seeds } = options;
  const notes: string[] = [];
  const [[n]] = allReduce;
  const namesOf = (kind: Topology["kind"]) =>
    rows.filter(({ topology }) => topology.kind === kind).map(({ label }) => label);
  if (namesOf("random").length > 0) {
    notes.push(`${listed(namesOf("random"))}: the rate is a mean square over random rounds; one run is often faster.`);
    const periodic = namesOf("periodic");
    if (shown.period && periodic.length > 0) {
      notes.push(`${listed(periodic)}: the rates are worst cases, of a round and over a period, not mean squares.`);
    }
  }
  const [pieces, share] = allReduce.length > 1 ? ["2 (n - 1)", "n"] : [showCount(2 * (n - 1)), showCount(n)];
  notes.push(
    "gain: DSGD's disagreement for a step and heterogeneity of 1, in the mean and the worst direction (~ sampled).",
    `all-reduce: one exact mean through ${pieces} messages of 1/${share} of the vector, one after another.`,
  );
  if (faults !== undefined) {
    const what = Object.entries(faults).map(([name, chance]) => `${name} ${chance}`);
    notes.push(
      `with faults (${what.join(", ")}): until the spread around the mean of now is there; medians of 5 runs. ` +
        "Shift: how far that mean moved, as a fraction of the nodes' distance from it at the start.",
    );
  }
  for (const { label, parts } of rows) if (parts !== undefined) notes.push(`${label} is ${notConnected(parts)}.`);
  for (const { topology } of rows) if (topology.note !== undefined) notes.push(`${topology.note}.`);
  if (rows.some(({ parts, predicted }) => parts === undefined && predicted.rounds === Number.POSITIVE_INFINITY)) {
    notes.push("- predicted: a rate of 1 promises nothing.");
  }
  if (rows.some(({ parts, measured }) => parts === undefined && measured === null)) {
    notes.push("- measured: not run to the end, which takes too many rounds; --max-rounds R tries R of them.");
  }
  notes.push(...aboutSeeds(rows, degree, seeds));
  const left = new Map<string, string[]>();
  for (const { topology, reason } of refused) left.set(reason, [...(left.get(reason) ?? []), topology]);
  for (const [reason, names] of left) notes.push(`Left out: ${names.join(", ")} (${reason}).`);
  return notes;
}

/** What numbers over seeds are, draws that have another degree than was asked for, and which rows can be distinguished. */
function aboutSeeds(rows: readonly Row[], degree: number | undefined, seeds: readonly number[] | undefined): string[] {
  const over = rows.flatMap(({ label, overSeeds }) => (overSeeds === undefined ? [] : [{ label, ...overSeeds }]));
  if (over.length === 0) return [];
  const counts = [...new Set(over.map((one) => one.seeds.length))].sort((a, b) => a - b);
  const other = over.flatMap(({ label, graphs }) => {
    const degrees = [...graphs.values()].map(({ maxDegree }) => maxDegree);
    const [least, most] = [Math.min(...degrees), Math.max(...degrees)];
    const isStatic = [...graphs.values()].every(({ kind }) => kind === "static");
    if (least === most && (degree === undefined || most === degree || !isStatic)) return [];
    return [`${label} ${least === most ? most : `${least} to ${most}`}`];
  });
  const asked = degree === undefined ? "degrees differ between draws" : `not every draw has the degree ${degree}`;
  return [
    `means over ${counts.join(" or ")} seeds, ± the standard error${seeds === undefined ? ", where graphs are drawn; other rows are one run" : ""}.`,
    ...(other.length === 0 ? [] : [`${asked} (shifts and edges that are drawn may coincide): ${other.join(", ")}.`]),
    ...(seeds === undefined ? [] : differencesInWords(rowDifferences(rows), "rounds measured")),
  ];
}
