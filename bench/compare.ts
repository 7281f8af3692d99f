/**
 * Two records of the same benches beside each other. A figure has changed where all its values of one record lie on one
 * side of all its values of the other; where each was taken once there is no spread to hold a change against, and none is
 * named.
 */

import { type BenchRecord, best, type Kept } from "./record.ts";

export interface Change {
  readonly bench: string;
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly now: number;
  /** now / before. */
  readonly ratio: number;
  /** The largest of max / min within one of the two; undefined where both were taken once. */
  readonly spread?: number;
  readonly verdict: "better" | "worse" | "within the spread" | "taken once";
}

/** Figures that both have, in the order of the second. */
export function changes(before: BenchRecord, now: BenchRecord): Change[] {
  return now.figures.flatMap((figure) => {
    const known = before.figures.find(({ bench, name }) => bench === figure.bench && name === figure.name);
    return known === undefined ? [] : [change(known, figure)];
  });
}

function change(before: Kept, now: Kept): Change {
  const [old, fresh] = [best(before), best(now)];
  const spreads = [before, now].filter(({ values }) => values.length > 1).map(spreadOf);
  return {
    ...{ bench: now.bench, name: now.name, unit: now.unit, before: old, now: fresh, ratio: fresh / old },
    ...(spreads.length === 0 ? {} : { spread: Math.max(...spreads) }),
    verdict: spreads.length === 0 ? "taken once" : verdictOf(before, now),
  };
}

const spreadOf = ({ values }: Kept) => Math.max(...values) / Math.min(...values);

function verdictOf(before: Kept, now: Kept): Change["verdict"] {
  const above = Math.min(...now.values) > Math.max(...before.values);
  const below = Math.max(...now.values) < Math.min(...before.values);
  if (!above && !below) return "within the spread";
  return above === (now.more === true) ? "better" : "worse";
}

/** The table, what was named a change, and what only one of them has. */
export function comparisonText(before: BenchRecord, now: BenchRecord): string {
  const list = changes(before, now);
  const digits = (value: number) => String(Number(value.toPrecision(3)));
  const rows = list.map(({ bench, name, unit, before: old, now: fresh, ratio, spread, verdict }) => [
    ...[bench, name, `${digits(old)} ${unit}`, `${digits(fresh)} ${unit}`, ratio.toFixed(2)],
    spread === undefined ? "-" : spread.toFixed(2),
    verdict,
  ]);
  const titles = ["bench", "figure", "before", "now", "ratio", "spread", ""];
  const widths = titles.map((title, k) => Math.max(title.length, ...rows.map((row) => row[k].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => (k >= 2 && k <= 5 ? cell.padStart(widths[k]) : cell.padEnd(widths[k])))
      .join("  ")
      .trimEnd();
  const named = list.filter(({ verdict }) => verdict === "better" || verdict === "worse");
  const alone = (one: BenchRecord, other: BenchRecord) =>
    one.figures.filter((a) => !other.figures.some((b) => a.bench === b.bench && a.name === b.name));
  return [
    ...machineLines(before, now),
    line(titles),
    ...rows.map(line),
    "",
    named.length === 0
      ? "No figure changed beyond its spread."
      : `Changed beyond the spread: ${named.map(({ name, verdict, ratio }) => `${name} (${verdict}, ${ratio.toFixed(2)})`).join("; ")}.`,
    ...alone(before, now).map(({ bench, name }) => `Only before: ${bench}, ${name}.`),
    ...alone(now, before).map(({ bench, name }) => `Only now: ${bench}, ${name}.`),
    "",
  ].join("\n");
}

/** Ratios of two machines say little about two programs. */
function machineLines({ machine: before }: BenchRecord, { machine: now }: BenchRecord): string[] {
  const lines = [`before: ${machineText(before)}`, `now:    ${machineText(now)}`];
  const alike = before.cpu === now.cpu && before.cores === now.cores && before.node === now.node;
  return [...lines, ...(alike ? [] : ["Not the same machine or Node: ratios are of both, program and machine."]), ""];
}

export function machineText({ cpu, cores, memoryGB, system, node, commit, changed, date }: BenchRecord["machine"]) {
  const source = commit === null ? "" : `, ${commit}${changed ? " with changes" : ""}`;
  return `${cpu}, ${cores} cores, ${memoryGB} GB, ${system}, Node ${node.slice(1)}${source}, ${date}`;
}
