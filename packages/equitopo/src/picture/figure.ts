/**
 * Figures as standalone SVG text, `lineFigure` and `panelFigure`; the same input gives the same bytes.
 *
 * Written by hand. Observable Plot was tried first and draws well, but with a document to draw in (linkedom) it has 57
 * packages and 13 MB, takes 170 ms to load, and does not do most of the work here: labels that avoid each other, curves that
 * reach zero on a logarithmic axis, thinning, and text measured without a browser.
 */

import { InputError } from "../input/input.ts";
import { sample } from "./curve.ts";
import { type Look, styleSeries, type Theme, themes } from "./palette.ts";
import { endsAtFrame, lineHeight, plot, ranges } from "./plot.ts";
import type { PlotSpec, Series } from "./series.ts";
import { escapeText, fontFamily, pixel, text, textWidth, wrap } from "./text.ts";

export interface LineFigure extends PlotSpec {
  readonly title: string;
  readonly subtitle?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** The names of curves in a legend above the frame, wherever the curves end: for narrow places. */
  readonly labelsAbove?: boolean;
}

/** One plot with its curves labelled at their ends, or by a legend above the frame where they end inside it. */
export function lineFigure(figure: LineFigure): string {
  const { title, subtitle, width = 620, height = 420, theme: name = "light" } = figure;
  check(figure);
  const theme = themes[name];
  const looks = styleSeries(figure.series);
  const head = heading(title, subtitle, width, theme);
  const aside = figure.labelsAside && figure.series.length > 0;
  const direct = !figure.labelsAbove && (aside || endsAtFrame(figure, width, height));
  const legend = direct ? { svg: "", height: 0 } : keys(figure.series, looks, width, head.height, theme);
  const top = head.height + legend.height;
  const frame = { x: 0, y: top, width, height: height - top };
  return standalone(title, width, height, name, head.svg + legend.svg + plot(figure, looks, frame, theme, direct));
}

export interface PanelFigure {
  readonly title: string;
  readonly subtitle?: string;
  /** Each panel has its own axes; series of one label look alike in all of them and share one legend. */
  readonly panels: readonly (PlotSpec & { readonly title: string })[];
  readonly columns: number;
  readonly width?: number;
  /** The height of one panel. */
  readonly panelHeight?: number;
  readonly theme?: "light" | "dark";
}

/** Small multiples under one title with one legend. */
export function panelFigure(figure: PanelFigure): string {
  const { title, subtitle, panels, columns, theme: name = "light", panelHeight = 270 } = figure;
  if (!Number.isInteger(columns) || columns < 1 || panels.length === 0) {
    throw new InputError("panelFigure needs panels and a whole number of columns", columns, "try columns = 2");
  }
  for (const panel of panels) check(panel);
  const theme = themes[name];
  const across = Math.min(columns, panels.length);
  const width = figure.width ?? Math.max(480, 340 * across);
  const { distinct, lookOf } = looksOf(panels);
  const head = heading(title, subtitle, width, theme);
  const legend = keys(distinct, distinct.map(lookOf), width, head.height, theme);
  const top = head.height + legend.height;
  const each = width / across;
  const drawn = panels.map((panel, i) => {
    const [x, y] = [(i % across) * each, top + Math.floor(i / across) * panelHeight];
    const lines = wrap(panel.title, 13, each - 20, true);
    const names = lines.map((line, k) => text(line, x + each / 2, y + 16 + 16 * k, 13, theme.ink, "bold", "middle"));
    const used = 8 + 16 * lines.length;
    const frame = { x, y: y + used, width: each, height: panelHeight - used };
    return names.join("") + plot(panel, panel.series.map(lookOf), frame, theme, false);
  });
  const height = top + Math.ceil(panels.length / across) * panelHeight;
  return standalone(title, width, height, name, head.svg + legend.svg + drawn.join(""));
}

/** A figure in pieces, which a page arranges as it has room: a sample for each curve, and every panel as a picture. */
export interface FigurePieces {
  readonly keys: readonly { readonly label: string; readonly svg: string }[];
  readonly panels: readonly string[];
}

/** Small multiples in pieces: legible on any screen, since each panel is no wider than a phone. */
export function panelPieces({ panels, width = 380, panelHeight = 290 }: Omit<PanelFigure, "columns">): FigurePieces {
  for (const panel of panels) check(panel);
  const theme = themes.light;
  const { distinct, lookOf } = looksOf(panels);
  const keyOf = (one: Series) =>
    `<svg width="30" height="18" viewBox="0 0 30 18" aria-hidden="true">${sample(one, lookOf(one), 1, 29, 9, theme)}</svg>`;
  const drawn = panels.map((panel) => {
    const head = panel.title === "" ? { svg: "", height: 4 } : heading(panel.title, undefined, width, theme);
    const frame = { x: 0, y: head.height, width, height: panelHeight - head.height };
    const drawn = plot(panel, panel.series.map(lookOf), frame, theme, false);
    const body = head.svg + drawn.replace(`<svg class="curves"`, `<svg class="curves"${sides(panel)}`);
    return standalone(panel.title || panel.yLabel, width, panelHeight, "light", body);
  });
  return { keys: distinct.map((one) => ({ label: one.label, svg: keyOf(one) })), panels: drawn };
}

/** The values at the frame's sides, from which a page computes values of a drawn curve. */
function sides(panel: PlotSpec): string {
  const { x, y } = ranges(panel) ?? { x: [0, 1], y: [0, 1] };
  const log = `${panel.xLog ? "x" : ""}${panel.yLog ? "y" : ""}`;
  return ` data-x="${x.join(" ")}" data-y="${y.join(" ")}" data-log="${log}"`;
}

function looksOf(panels: readonly PlotSpec[]) {
  const all = panels.flatMap((panel) => panel.series);
  const distinct = all.filter((one, i) => all.findIndex((other) => other.label === one.label) === i);
  const looks = new Map(styleSeries(distinct).map((look, i) => [distinct[i].label, look]));
  return { distinct, lookOf: (one: Series) => looks.get(one.label) as Look };
}

function check(figure: PlotSpec): void {
  for (const axis of ["x", "y"] as const) {
    const [name, range, log] = [`${axis}Range`, figure[`${axis}Range`], figure[`${axis}Log`]] as const;
    if (range === undefined || (range[0] < range[1] && range.every(Number.isFinite) && (!log || range[0] > 0)))
      continue;
    throw new InputError(`${name} must ascend${log ? " from above 0" : ""}`, range, "leave it out to fit all values");
  }
  for (const { label, x, mean, low, high } of figure.series) {
    for (const [name, values] of Object.entries({ mean, low, high })) {
      if (values === undefined || values.length === x.length) continue;
      const rule = `series ${label}: ${name} must have one value for each of the ${x.length} of x`;
      throw new InputError(rule, values.length, "cut both to the same length");
    }
    if ((low === undefined) !== (high === undefined)) {
      throw new InputError(`series ${label}: a band needs low and high`, low ? "low only" : "high only", "give both");
    }
  }
}

/** The legend: samples and names in centred rows under the heading. */
function keys(series: readonly Series[], looks: readonly Look[], width: number, top: number, theme: Theme) {
  const size = 12;
  const entries = series.map((one, i) => ({ one, look: looks[i], width: 34 + textWidth(one.label, size) + 16 }));
  const rows: (typeof entries)[] = [[]];
  for (const entry of entries) {
    const row = rows[rows.length - 1];
    const used = row.reduce((sum, other) => sum + other.width, 0);
    if (row.length > 0 && used + entry.width > width - 24) rows.push([entry]);
    else row.push(entry);
  }
  const svg = rows.map((row, k) => {
    let x = (width - row.reduce((sum, entry) => sum + entry.width, 0) + 16) / 2;
    const y = top + 12 + k * lineHeight;
    return row.map(({ one, look, width: used }) => {
      const drawn = sample(one, look, x, x + 26, y, theme) + text(one.label, x + 33, y + 4, size, theme.ink);
      x += used;
      return `<g class="key" data-series="${escapeText(one.label)}">${drawn}</g>`;
    });
  });
  return { svg: svg.flat().join(""), height: series.length === 0 ? 0 : rows.length * lineHeight + 8 };
}

export function heading(title: string, subtitle: string | undefined, width: number, theme: Theme) {
  const lines = wrap(title, 15, width - 32, true);
  const more = wrap(subtitle ?? "", 12, width - 32);
  const svg = [
    ...lines.map((line, i) => text(line, width / 2, 24 + 19 * i, 15, theme.ink, "bold", "middle")),
    ...more.map((line, i) => text(line, width / 2, 24 + 19 * lines.length + 15 * i, 12, theme.quiet, "", "middle")),
  ];
  return { svg: svg.join(""), height: 14 + 19 * lines.length + 15 * more.length };
}

export function standalone(title: string, width: number, height: number, theme: "light" | "dark", body: string) {
  const size = `width="${pixel(width)}" height="${pixel(height)}" viewBox="0 0 ${pixel(width)} ${pixel(height)}"`;
  const ground = `<rect width="100%" height="100%" fill="${themes[theme].ground}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escapeText(title)}" font-family="${fontFamily}">${ground}${body}</svg>\n`;
}
