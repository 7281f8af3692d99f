/**
 * Pens and paper. A pen is the part of CanvasRenderingContext2D that pictures use: a canvas is one, a writer of SVG (`svgOf`)
 * is another, so that a page, its exports and the command's files show the same.
 */

import { escapeText, pixel } from "./text.ts";

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
  /** Width and height of its file, in pixels. */
  readonly size: readonly [number, number];
  draw(pen: Pen, paper: Paper): void;
}

/** A pen that writes SVG: each fill, stroke and text becomes an element. */
class SvgPen implements Pen {
  fillStyle = "#000000";
  strokeStyle = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px system-ui";
  textAlign: Pen["textAlign"] = "left";
  textBaseline: Pen["textBaseline"] = "alphabetic";
  readonly elements: string[] = [];
  #path: string[] = [];
  #dashes: readonly number[] = [];

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${pixel(x)} ${pixel(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? "M" : "L"}${pixel(x)} ${pixel(y)}`);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#path.push(`Q${pixel(cx)} ${pixel(cy)} ${pixel(x)} ${pixel(y)}`);
  }

  /** A whole circle is two halves, because an arc that ends where it begins is empty. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const at = (angle: number) => `${pixel(x + radius * Math.cos(angle))} ${pixel(y + radius * Math.sin(angle))}`;
    const half = (from + to) / 2;
    const large = (to - from) / 2 > Math.PI ? 1 : 0;
    const part = (angle: number) => `A${pixel(radius)} ${pixel(radius)} 0 ${large} 1 ${at(angle)}`;
    // As on a canvas, an arc is joined to the path before it, unless the path was moved to its start.
    const joined = this.#path.length === 0 || this.#path[this.#path.length - 1] === `M${at(from)}` ? "M" : "L";
    this.#path.push(`${joined}${at(from)}`, part(half), part(to));
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`M${pixel(x)} ${pixel(y)}h${pixel(width)}v${pixel(height)}h${pixel(-width)}z`);
  }

  closePath(): void {
    this.#path.push("z");
  }

  fill(): void {
    this.#write(`fill="${this.fillStyle}"`);
  }

  stroke(): void {
    const dashes = this.#dashes.length === 0 ? "" : ` stroke-dasharray="${this.#dashes.join(" ")}"`;
    this.#write(`fill="none" stroke="${this.strokeStyle}" stroke-width="${pixel(this.lineWidth)}"${dashes}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const place = `x="${pixel(x)}" y="${pixel(y)}" width="${pixel(width)}" height="${pixel(height)}"`;
    this.elements.push(`<rect ${place} fill="${this.fillStyle}"${this.#alpha()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
    const base = { top: "hanging", middle: "central", alphabetic: "alphabetic", bottom: "text-after-edge" };
    const place = `x="${pixel(x)}" y="${pixel(y)}" text-anchor="${anchor}" dominant-baseline="${base[this.textBaseline]}"`;
    const look = `style="font:${escapeText(this.font)}" fill="${this.fillStyle}"${this.#alpha()}`;
    this.elements.push(`<text ${place} ${look}>${escapeText(text)}</text>`);
  }

  setLineDash(dashes: number[]): void {
    this.#dashes = dashes;
  }

  #alpha(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${pixel(this.globalAlpha)}"`;
  }

  #write(look: string): void {
    if (this.#path.length > 0) this.elements.push(`<path d="${this.#path.join("")}" ${look}${this.#alpha()}/>`);
  }
}

/** What a picture draws on this paper, as elements of SVG. */
export function svgElements(draw: Picture["draw"], paper: Paper): string[] {
  const pen = new SvgPen();
  draw(pen, paper);
  return pen.elements;
}

/**
 * The picture as a file's text. The cost is that of drawing it.
 *
 * @example
 * ```ts
 * import { svgOf, type Picture } from "equitopo/picture";
 * const dot: Picture = {
 *   name: "dot",
 *   title: "a dot",
 *   size: [10, 10],
 *   draw: (pen) => pen.fillRect(4, 4, 2, 2),
 * };
 * svgOf(dot, "light").split("\n")[2] // => '<rect x="4" y="4" width="2" height="2" fill="#000000"/>'
 * ```
 */
export function svgOf({ title, size: [width, height], draw }: Picture, theme: Paper["theme"]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`;
  const elements = svgElements(draw, { width, height, theme });
  return [head, `<title>${escapeText(title)}</title>`, ...elements, "</svg>", ""].join("\n");
}
