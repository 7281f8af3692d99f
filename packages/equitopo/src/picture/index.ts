/** How topologies look wherever they are drawn, and figures of curves, for files and for pages: the subpath `equitopo/picture`. */

export { tickLabel } from "./axis.ts";
export { type Disc, discMarks, drawDisc } from "./disc.ts";
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
export { titleOf } from "./name.ts";
export { showBytes, showCount, showFactor, showIterations, showRate, showRateOf, showSeconds } from "./numbers.ts";
export * from "./palette.ts";
export type { Paper, Pen, Picture } from "./pen.ts";
export { along, type Curve, marksOf, nodeAt, type Placed, type Places, placesOf, type Spot } from "./places.ts";
export { type RoundsFigure, roundsFigure } from "./rounds.ts";
export { costAxis, fillsDecade, type Range, rangeOf, type Scale, scale, type Tick } from "./scale.ts";
export type { PlotSpec, Series } from "./series.ts";
export { discOf, spectrumFigure } from "./spectrum.ts";
export { largestModulus, matrixName, meaning, type SpectrumFacts } from "./spectrum-words.ts";
export { svgElements, svgOf } from "./svg-pen.ts";
export { escapeText, figureText, fontFamily, grouped, pixel, readable, textWidth, wrap } from "./text.ts";
export { type Point, stretches, thin } from "./thin.ts";
