/** The parts of a plot: curves, axes and their box. */

import type { Range } from "./scale.ts";

export interface Series {
  readonly label: string;
  /** Determines the colour if the label does not name a topology. */
  readonly topology?: string;
  readonly x: readonly number[];
  readonly mean: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  /** A line of theory: dashed, without markers. */
  readonly dashed?: boolean;
  /** For a dashed curve, the label of the curve whose colour it takes. */
  readonly of?: string;
  readonly color?: string;
  /** A thicker line and a bold label. */
  readonly strong?: boolean;
}

export interface PlotSpec {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xLog?: boolean;
  readonly yLog?: boolean;
  /** x is a number of bytes: tick labels read 20 kB. */
  readonly xBytes?: boolean;
  readonly series: readonly Series[];
  /** Fixed ends of an axis; what lies outside is clipped. By default all values fit, theory included. */
  readonly xRange?: Range;
  readonly yRange?: Range;
  /**
   * Labels right of the frame also for curves that leave it through its floor: below those that reach the right side, in the
   * reverse order of leaving.
   */
  readonly labelsAside?: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
