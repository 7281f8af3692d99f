/** A figure of an experiment as one picture for a file, and in pieces for a page that may be narrow. */

import { type FigurePieces, lineFigure, panelFigure, panelPieces } from "equitopo/internal/picture";
import type { Figure } from "equitopo/outcome";
import { barFigure } from "./bar.ts";
import { graphFigure } from "./graphs.ts";

export function wholeFigure(figure: Figure): string {
  if ("graphs" in figure) return graphFigure(figure);
  if ("bars" in figure) return barFigure(figure);
  const { title, panels } = figure;
  return panels.length === 1
    ? lineFigure({ ...panels[0], title })
    : panelFigure({ title, panels, columns: panels.length % 3 === 0 ? 3 : 2 });
}

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
