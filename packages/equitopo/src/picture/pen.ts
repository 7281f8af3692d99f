/**
 * What pictures are drawn with and on. A pen is the part of CanvasRenderingContext2D that they use: a canvas is one, a
 * writer of SVG (svg-pen.ts) the other, so that a page, its exports and the command's files show the same.
 */

export interface Pen {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: "left" | "center" | "right";
  textBaseline: "top" | "middle" | "alphabetic" | "bottom";
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void;
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  closePath(): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  setLineDash(dashes: number[]): void;
}

export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
}

/** A picture that can be drawn by any pen, at any size, in either theme. */
export interface Picture {
  /** The name of its file, without an ending. */
  readonly name: string;
  /** What it shows, in words. */
  readonly title: string;
  /** Width by height in pixels when it becomes a file. */
  readonly size: readonly [number, number];
  draw(pen: Pen, paper: Paper): void;
}
