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
function svgPen(elements: string[]): Pen {
  let path: string[] = [];
  let dashed = "";
  /** A letter of a path with its points. */
  const to = (letter: string, ...places: number[]) => void path.push(letter + places.map(pixel).join(" "));
  const alpha = () => (pen.globalAlpha === 1 ? "" : ` opacity="${pixel(pen.globalAlpha)}"`);
  const write = (look: string) => {
    if (path.length > 0) elements.push(`<path d="${path.join("")}" ${look}${alpha()}/>`);
  };
  const pen: Pen = {
    ...{ fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, globalAlpha: 1, font: "12px system-ui" },
    ...{ textAlign: "left", textBaseline: "alphabetic" },
    beginPath() {
      path = [];
    },
    moveTo: (x, y) => to("M", x, y),
    lineTo: (x, y) => to(path.length === 0 ? "M" : "L", x, y),
    quadraticCurveTo: (cx, cy, x, y) => to("Q", cx, cy, x, y),
    // A whole circle is two halves, because an arc that ends where it begins is empty.
    arc(x, y, radius, from, end) {
      const at = (angle: number) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      const large = (end - from) / 2 > Math.PI ? 1 : 0;
      // As on a canvas, an arc is joined to the path before it, unless the path was moved to its start.
      const start = at(from).map(pixel).join(" ");
      to(path.length === 0 || path.at(-1) === `M${start}` ? "M" : "L", ...at(from));
      for (const angle of [(from + end) / 2, end]) to("A", radius, radius, 0, large, 1, ...at(angle));
    },
    rect: (x, y, width, height) => {
      path.push(`M${pixel(x)} ${pixel(y)}h${pixel(width)}v${pixel(height)}h${pixel(-width)}z`);
    },
    closePath: () => to("z"),
    fill: () => write(`fill="${pen.fillStyle}"`),
    stroke: () => write(`fill="none" stroke="${pen.strokeStyle}" stroke-width="${pixel(pen.lineWidth)}"${dashed}`),
    fillRect(x, y, width, height) {
      const place = `x="${pixel(x)}" y="${pixel(y)}" width="${pixel(width)}" height="${pixel(height)}"`;
      elements.push(`<rect ${place} fill="${pen.fillStyle}"${alpha()}/>`);
    },
    fillText(text, x, y) {
      const anchor = { left: "start", center: "middle", right: "end" }[pen.textAlign];
      const base = { top: "hanging", middle: "central", alphabetic: "alphabetic", bottom: "text-after-edge" };
      const place = `x="${pixel(x)}" y="${pixel(y)}" text-anchor="${anchor}" dominant-baseline="${base[pen.textBaseline]}"`;
      const look = `style="font:${escapeText(pen.font)}" fill="${pen.fillStyle}"${alpha()}`;
      elements.push(`<text ${place} ${look}>${escapeText(text)}</text>`);
    },
    setLineDash(dashes) {
      dashed = dashes.length === 0 ? "" : ` stroke-dasharray="${dashes.join(" ")}"`;
    },
  };
  return pen;
}

/** What a picture draws on this paper, as elements of SVG. */
export function svgElements(draw: Picture["draw"], paper: Paper): string[] {
  const elements: string[] = [];
  draw(svgPen(elements), paper);
  return elements;
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
