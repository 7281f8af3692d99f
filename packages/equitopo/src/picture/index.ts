/** How topologies look wherever they are drawn, and figures of curves, for files and for pages: the subpath `equitopo/picture`. */

export { tickLabel } from "./axis.ts";
export {
  type FigurePieces,
  heading,
  type LineFigure,
  lineFigure,
  type PanelFigure,
  panelFigure,
  panelPieces,
  standalone,
  text,
} from "./figure.ts";
export * from "./layout.ts";
export { showBytes, showCount, showFactor, showIterations, showRate, showRateOf, showSeconds } from "./numbers.ts";
export * from "./palette.ts";

export { costAxis, fillsDecade, type Range, rangeOf, type Scale, scale, type Tick } from "./scale.ts";
export type { PlotSpec, Series } from "./series.ts";
export { escapeText, figureText, fontFamily, grouped, pixel, readable, textWidth, wrap } from "./text.ts";
export { type Point, stretches, thin } from "./thin.ts";
