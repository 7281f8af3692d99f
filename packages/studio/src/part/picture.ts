/** A picture that can be drawn by any pen, at any size, in either theme. */

import type { Pen } from "./pen.ts";

export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
}

export interface Picture {
  /** The name of its file, without an ending. */
  readonly name: string;
  /** What it shows, in words. */
  readonly title: string;
  /** Width by height in pixels when exported. */
  readonly size: readonly [number, number];
  draw(pen: Pen, paper: Paper): void;
}

/** A figure that comes as SVG text already, as those of the library do (equitopo/picture). */
export interface Figure extends Omit<Picture, "draw"> {
  svg(theme: Paper["theme"]): string;
}
