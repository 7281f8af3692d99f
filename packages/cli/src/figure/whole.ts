/** A figure of an experiment as one picture for a file, and in pieces for a page that may be narrow. */

import {
  escapeText,
  type FigurePieces,
  type LineFigure,
  lineFigure,
  panelFigure,
  panelPieces,
  pixel,
} from "equitopo/internal/picture";
import type { Figure } from "equitopo/outcome";
import { barFigure } from "./bar.ts";
import type { Drawable, Look } from "./files.ts";
import { graphFigure } from "./graphs.ts";
import { curveRows } from "./rows.ts";

/** The size of the smaller letters as figures are laid out, and the widths below which they are laid out otherwise. */
const [SIZE, PANEL, ASIDE] = [12, 240, 520];
/** The room of a curve's name above the frame. */
const [NAME, LINE] = [190, 18];

/**
 * The SVG of a figure in the look that was asked for: laid out for a width at which its letters have their usual size, and
 * then scaled as a whole, so that both the width and the letters come out as asked.
 */
export function looking<F extends { readonly title: string }>(
  figure: F,
  { width, fontSize = SIZE, noTitle }: Look,
  draw: (figure: F, width: number | undefined) => string,
): string {
  const scale = fontSize / SIZE;
  const svg = draw(noTitle ? { ...figure, title: "", subtitle: undefined } : figure, width && width / scale);
  return svg
    .replace(
      / width="([\d.]+)" height="([\d.]+)"/,
      (_, w, h) => ` width="${pixel(w * scale)}" height="${pixel(h * scale)}"`,
    )
    .replace(' aria-label=""', ` aria-label="${escapeText(figure.title)}"`);
}

export const wholeFigure = (figure: Figure, look: Look = {}): string => looking(figure, look, drawn);

function drawn(figure: Figure, width: number | undefined): string {
  if ("graphs" in figure) return graphFigure(figure, width);
  if ("bars" in figure) return barFigure({ ...figure, ...(width && { width }) });
  const { title, panels } = figure;
  if (panels.length === 1) return curves({ ...panels[0], title }, width);
  const columns = panels.length % 3 === 0 ? 3 : 2;
  if (width === undefined) return panelFigure({ title, panels, columns });
  return panelFigure({ title, panels, width, columns: Math.max(1, Math.min(columns, Math.floor(width / PANEL))) });
}

/** A figure of curves, as high as it is in its own width; where it is narrow, with their names above. */
function curves(figure: LineFigure, width: number | undefined): string {
  if (width === undefined) return lineFigure(figure);
  const labelsAbove = width < ASIDE;
  const { width: own = 620, height: least = 420 } = figure;
  const names = labelsAbove ? LINE * Math.ceil(figure.series.length / Math.max(1, Math.floor(width / NAME))) : 0;
  return lineFigure({ ...figure, width, height: Math.max(PANEL, (width * least) / own) + names, labelsAbove });
}

/** A figure of curves, for files that a command names. */
export const drawable = (figure: LineFigure): Drawable => ({
  draw: (look) => looking(figure, look, curves),
  rows: curveRows({ name: "", caption: "", title: figure.title, panels: [figure] }),
});

/** Narrow enough that a phone shows its letters at nine tenths of their size. */
const NARROW = 400;

export function figureInPieces(figure: Figure): FigurePieces {
  if ("graphs" in figure) {
    return { keys: [], panels: figure.graphs.map((graph) => graphFigure({ title: "", graphs: [graph] })) };
  }
  if ("bars" in figure) return { keys: [], panels: [barFigure({ ...figure, title: "", width: NARROW })] };
  const { title, panels } = figure;
  const [only] = panels;
  return panelPieces({ title, panels: panels.length === 1 ? [{ ...only, title: "" }] : panels, width: NARROW });
}
