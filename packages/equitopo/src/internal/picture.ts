/** What `equitopo/picture` exported before it was cut down to what programs need; outside semantic versioning. */

export { tickLabel } from "../picture/axis.ts";
export { type Disc, discMarks, drawDisc } from "../picture/disc.ts";
export { type FigurePieces, heading, panelPieces, standalone } from "../picture/figure.ts";
export * from "../picture/index.ts";
export { circleLayout } from "../picture/layout.ts";
export { topologyOf } from "../picture/name.ts";
export * from "../picture/numbers.ts";
export { inTheDark, type Look, type Marker, mix, type Styled, styleSeries } from "../picture/palette.ts";
export { svgElements } from "../picture/pen.ts";
export { along, marksOf, nodeAt } from "../picture/places.ts";
export { costAxis, fillsDecade, rangeOf, type Scale, scale, type Tick } from "../picture/scale.ts";
export { discOf, largestModulus, matrixName, meaning, type SpectrumFacts } from "../picture/spectrum.ts";
export * from "../picture/text.ts";
export * from "../picture/thin.ts";
