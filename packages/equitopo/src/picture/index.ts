/** How topologies look wherever they are drawn, and figures of curves, for files and for pages: the subpath `equitopo/picture`. */

export { type LineFigure, lineFigure, type PanelFigure, panelFigure } from "./figure.ts";
export { type Layout, layoutAs, layoutNames, layoutOf } from "./layout.ts";
export { titleOf } from "./name.ts";
export { type Theme, themes, topologyColour } from "./palette.ts";
export { type Paper, type Pen, type Picture, svgOf } from "./pen.ts";
export { type Curve, type Placed, type Places, placesOf, type Spot } from "./places.ts";
export { type RoundsFigure, roundsFigure } from "./rounds.ts";
export type { Range } from "./scale.ts";
export type { PlotSpec, Series } from "./series.ts";
export { spectrumFigure } from "./spectrum.ts";
