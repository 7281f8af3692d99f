/** Figures and tables as rows, for files of numbers. */

import type { Figure } from "equitopo/outcome";
import type { Row } from "../terminal/csv-text.ts";

/** What a figure shows, as rows. */
export function curveRows(figure: Figure): Row[] {
  if ("graphs" in figure) {
    return figure.graphs.flatMap(({ title, edges }) => edges.map(({ from, to }) => ({ graph: title, from, to })));
  }
  if ("bars" in figure) return figure.bars.map(({ label, value }) => ({ series: label, value }));
  return figure.panels.flatMap((panel) =>
    panel.series.flatMap(({ label, x, mean, low, high }) =>
      x.map((at, k) => ({
        panel: panel.title,
        series: label,
        x: at,
        mean: mean[k],
        low: low?.[k] ?? null,
        high: high?.[k] ?? null,
      })),
    ),
  );
}

export function tableRows(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, k) => [column, row[k]])));
}
