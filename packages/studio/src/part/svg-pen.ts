/** A pen that writes SVG: each fill, stroke and text becomes an element. */

import type { Pen } from "./pen.ts";
import type { Picture } from "./picture.ts";

const number = (value: number) => String(Number(value.toFixed(2)));
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

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
    this.#path.push(`M${number(x)} ${number(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? "M" : "L"}${number(x)} ${number(y)}`);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#path.push(`Q${number(cx)} ${number(cy)} ${number(x)} ${number(y)}`);
  }

  /** Whole circles are two half ones: an arc that ends where it begins is nothing. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const at = (angle: number) => `${number(x + radius * Math.cos(angle))} ${number(y + radius * Math.sin(angle))}`;
    const half = (from + to) / 2;
    const large = (to - from) / 2 > Math.PI ? 1 : 0;
    const part = (angle: number) => `A${number(radius)} ${number(radius)} 0 ${large} 1 ${at(angle)}`;
    // As on a canvas: an arc is joined to what came before it, unless the path was moved to its start.
    const joined = this.#path.length === 0 || this.#path[this.#path.length - 1] === `M${at(from)}` ? "M" : "L";
    this.#path.push(`${joined}${at(from)}`, part(half), part(to));
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}z`);
  }

  closePath(): void {
    this.#path.push("z");
  }

  fill(): void {
    this.#write(`fill="${this.fillStyle}"`);
  }

  stroke(): void {
    const dashes = this.#dashes.length === 0 ? "" : ` stroke-dasharray="${this.#dashes.join(" ")}"`;
    this.#write(`fill="none" stroke="${this.strokeStyle}" stroke-width="${number(this.lineWidth)}"${dashes}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    this.elements.push(`<rect ${place} fill="${this.fillStyle}"${this.#alpha()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
    const base = { top: "hanging", middle: "central", alphabetic: "alphabetic", bottom: "text-after-edge" };
    const place = `x="${number(x)}" y="${number(y)}" text-anchor="${anchor}" dominant-baseline="${base[this.textBaseline]}"`;
    const look = `style="font:${escaped(this.font)}" fill="${this.fillStyle}"${this.#alpha()}`;
    this.elements.push(`<text ${place} ${look}>${escaped(text)}</text>`);
  }

  setLineDash(dashes: number[]): void {
    this.#dashes = dashes;
  }

  #alpha(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${number(this.globalAlpha)}"`;
  }

  #write(look: string): void {
    if (this.#path.length > 0) this.elements.push(`<path d="${this.#path.join("")}" ${look}${this.#alpha()}/>`);
  }
}

/** The picture as a file's text. */
export function svgOf({ title, size: [width, height], draw }: Picture, theme: "light" | "dark"): string {
  const pen = new SvgPen();
  draw(pen, { width, height, theme });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`;
  return [head, `<title>${escaped(title)}</title>`, ...pen.elements, "</svg>", ""].join("\n");
}
