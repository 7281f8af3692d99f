/** Topologies side by side as a table of at most 110 columns, with what its numbers mean underneath. */

import type { Topology } from "equitopo";
import type { ComparisonOptions, NetworkFaults, Refusal, Row, RowCost } from "./comparison.ts";
import { groupOf } from "./comparison-figure.ts";
import { wrapped } from "./lines.ts";
import { showBytes, showCount, showFactor, showRate, showRateOf } from "./numbers.ts";
import { notConnected } from "./parts.ts";
import { type Column, table } from "./table.ts";

export interface Comparison {
  readonly n: number;
  readonly rows: readonly Row[];
  readonly allReduce: RowCost;
  readonly refused: readonly Refusal[];
}

/** A line of the table: a topology's, or the all-reduce's. */
interface Line {
  readonly group: ReturnType<typeof groupOf>;
  readonly bytes: number;
  readonly cells: readonly string[];
}

export function comparisonInWords(comparison: Comparison, options: ComparisonOptions & { quiet?: true }): string {
  const { n, rows } = comparison;
  const { tolerance, dim, float32, faults } = options;
  const shown = shownColumns(rows, faults);
  const lines = [...rows.map((row) => lineOf(row, shown)), allReduceLine(comparison.allReduce, n, shown)];
  const vector = `${showCount(dim)} numbers of ${float32 ? 4 : 8} bytes`;
  const title = `n = ${showCount(n)}: what it takes to shrink disagreement by ${showFactor(tolerance)}, vectors of ${vector}`;
  const notes = options.quiet ? [] : notesOn(comparison, shown, faults);
  const foot = notes.length === 0 ? "" : `\n${notes.map(wrapped).join("\n")}\n`;
  return `${title}\n\n${table(
    columnsOf(shown),
    sorted(lines).map(({ cells }) => cells),
  )}${foot}`;
}

/** Your own graphs and the EquiTopo graphs first; the others by the bytes that they take. */
function sorted(lines: readonly Line[]): Line[] {
  const order = { own: 0, equitopo: 1, baseline: 2, rival: 2 };
  return [...lines].sort((a, b) => order[a.group] - order[b.group] || (order[a.group] === 2 ? a.bytes - b.bytes : 0));
}

/** Columns that only some tables have. */
interface Shown {
  readonly period: boolean;
  readonly asymptotic: boolean;
  readonly faults: boolean;
}

function shownColumns(rows: readonly Row[], faults: NetworkFaults | undefined): Shown {
  // What faults do takes the place of what happens in the long run without them.
  return {
    period: faults === undefined && rows.some(({ rate }) => rate.periodRate !== undefined),
    asymptotic: faults === undefined && rows.some(({ rate }) => rate.asymptotic !== undefined),
    faults: faults !== undefined,
  };
}

function columnsOf({ period, asymptotic, faults }: Shown): Column[] {
  const left = (title: string): Column => ({ title, align: "left" });
  const right = (title: string): Column => ({ title, align: "right" });
  return [
    left("topology"),
    right("degree"),
    right("rate"),
    ...(period ? [right("over a\nperiod")] : []),
    ...(asymptotic ? [right("in the\nlong run")] : []),
    right("gain\nrms/worst"),
    right("rounds\npredicted"),
    right("rounds\nmeasured"),
    ...(faults ? [right("rounds\nwith faults"), right("shift of\nthe mean")] : []),
    right("bytes/node\nmeasured"),
  ];
}

function lineOf({ topology, label, rate, gains, predicted, measured, faulty }: Row, shown: Shown): Line {
  const gain = (value: number) => (value < 100 ? value.toFixed(2) : showCount(Math.round(value)));
  const finite = gains !== undefined && gains.worst < Number.POSITIVE_INFINITY;
  const cells = [
    label,
    showCount(topology.maxDegree),
    showRateOf(rate),
    ...(shown.period ? [rate.periodRate === undefined ? "" : showRate(rate.periodRate)] : []),
    ...(shown.asymptotic ? [rate.asymptotic === undefined ? "" : showRate(rate.asymptotic)] : []),
    finite ? `${gains.method === "sampled" ? "~" : ""}${gain(gains.rms)}/${gain(gains.worst)}` : "-",
    showCount(predicted.rounds),
    measured === null ? "-" : showCount(measured.rounds),
    ...(shown.faults ? [faulty ? showCount(faulty.rounds) : "-", faulty ? showShift(faulty.shift) : "-"] : []),
    measured === null ? "-" : showBytes(measured.bytes),
  ];
  return { group: groupOf(topology.name), bytes: measured?.bytes ?? predicted.bytes, cells };
}

/** Rounding is no shift. */
const showShift = (shift: number) => (shift < 1e-9 ? "0" : shift.toFixed(4));

function allReduceLine(cost: RowCost, n: number, { period, asymptotic, faults }: Shown): Line {
  const cells = [
    "all-reduce",
    "1",
    "0",
    ...(period ? [""] : []),
    ...(asymptotic ? [""] : []),
    "0.00/0.00",
    "1",
    "1",
    ...(faults ? ["", ""] : []),
    showBytes(cost.bytes),
  ];
  return { group: "rival", bytes: n > 0 ? cost.bytes : 0, cells };
}

function notesOn({ rows, refused, n }: Comparison, shown: Shown, faults: NetworkFaults | undefined): string[] {
  const notes: string[] = [];
  const namesOf = (kind: Topology["kind"]) =>
    rows.filter(({ topology }) => topology.kind === kind).map(({ label }) => label);
  const listed = (names: readonly string[]) =>
    names.length > 6
      ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} others`
      : names.length < 3
        ? names.join(" and ")
        : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
  if (namesOf("random").length > 0) {
    notes.push(`${listed(namesOf("random"))}: the rate is a mean square over random rounds; one run is often faster.`);
    const periodic = namesOf("periodic");
    if (shown.period && periodic.length > 0) {
      notes.push(`${listed(periodic)}: the rates are worst cases, of a round and over a period, not mean squares.`);
    }
  }
  notes.push(
    "gain: DSGD's disagreement for a step and heterogeneity of 1, in the mean and the worst direction (~ sampled).",
    `all-reduce: one exact mean through ${showCount(2 * (n - 1))} messages of 1/${showCount(n)} of the vector, one after another.`,
  );
  if (faults !== undefined) {
    const what = Object.entries(faults).map(([name, share]) => `${name} ${share}`);
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
  const left = new Map<string, string[]>();
  for (const { topology, reason } of refused) left.set(reason, [...(left.get(reason) ?? []), topology]);
  for (const [reason, names] of left) notes.push(`Left out: ${names.join(", ")} (${reason}).`);
  return notes;
}
