/** What a plot is made of: curves, axes, and the room they have. */

import type { Range } from "./scale.ts";

export interface Series {
  readonly label: string;
  /** Fixes the colour where the label does not name a topology. */
  readonly topology?: string;
  readonly x: readonly number[];
  readonly mean: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  /** Theory: no markers, a dashed line. */
  readonly dashed?: boolean;
  /** The label of the curve that a dashed one belongs to, whose colour it takes. */
  readonly of?: string;
  readonly color?: string;
  /** A thicker line and a bold label among many. */
  readonly strong?: boolean;
}

export interface PlotSpec {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xLog?: boolean;
  readonly yLog?: boolean;
  /** x is a number of bytes: ticks say 20 kB. */
  readonly xBytes?: boolean;
  readonly series: readonly Series[];
  /** Fixed ends of an axis; what lies outside is cut at the frame. By default all values, theory included, fit. */
  readonly xRange?: Range;
  readonly yRange?: Range;
  /**
   * Labels right of the frame also for curves that leave it through its floor: they stand below those that reach the
   * right side, the last to leave first.
   */
  readonly labelsAside?: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
