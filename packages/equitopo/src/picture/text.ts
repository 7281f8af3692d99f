/**
 * Text in a figure, measured without a browser. The widths are those of Helvetica; Arial, Liberation Sans and Arimo (with
 * which PNGs are drawn) have the same ones, so text that fits here fits wherever the figure is shown.
 */

import { showRate } from "./numbers.ts";

export const fontFamily = "Arimo, Helvetica, Arial, 'Liberation Sans', sans-serif";

/** Advance widths of U+0020 to U+007E in thousandths of the font size. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/**
 * The width of a text in pixels, and 15% more for a machine that has none of these fonts and uses a wider one (DejaVu Sans,
 * Verdana). Other characters count as 0.6 of the size, from U+2E80 on as a full square.
 */
export function textWidth(text: string, size: number, bold = false): number {
  let sum = 0;
  for (const character of inSigns(text)) {
    const code = character.codePointAt(0) as number;
    sum += widths[code - 32] ?? (code >= 0x2e80 ? 1000 : 600);
  }
  return (sum / 1000) * size * 1.15 * (bold ? 1.07 : 1);
}

/** Lines no wider than `width`, broken at spaces; a single word that is wider stays whole. */
export function wrap(text: string, size: number, width: number, bold = false): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size, bold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text escaped for SVG and HTML, in content and in quoted attributes; characters that XML does not allow become U+FFFD. */
export function escapeText(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replace(/[&<>"']/g, (character) => entities[character]);
}

const signs: Record<string, string> = { "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")", "∈": "in", "∝": "~" };

/** Arimo lacks a few signs of the paper, so a figure spells them out; a PNG would show boxes. */
function inSigns(text: string): string {
  return text.replace(/[⌈⌉⌊⌋∈∝]/g, (sign) => signs[sign]);
}

/** Text for a figure: escaped, in signs that its font has. */
export function figureText(text: string): string {
  return escapeText(inSigns(text));
}

/** A text of a figure, from (x, y) on or around it (`anchor`). */
export function text(words: string, x: number, y: number, size: number, fill: string, weight = "", anchor = "") {
  const attributes = (weight && ` font-weight="${weight}"`) + (anchor && ` text-anchor="${anchor}"`);
  return `<text x="${pixel(x)}" y="${pixel(y)}" font-size="${size}" fill="${fill}"${attributes}>${figureText(words)}</text>`;
}

/** A straight line of a figure. */
export function line(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<path d="M${pixel(x1)} ${pixel(y1)}L${pixel(x2)} ${pixel(y2)}" stroke="${colour}" stroke-width="0.8" fill="none"/>`;
}

/** A coordinate to a hundredth of a pixel, never "-0". */
export function pixel(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

/** Commas between thousands and a true minus; by hand, because locale data differs between builds of Node. */
export function grouped(digits: string): string {
  const [whole, fraction] = digits.split(".");
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "−");
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}

/** A number for people: four significant digits, commas between thousands, powers of ten for very large and small ones. */
export function readable(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return grouped(String(value));
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(power)}`.replace(/-/g, "−");
  }
  const rounded = Number(value.toPrecision(digits));
  // A rate so near 1 is not 1.
  return grouped(String(rounded === 1 && value < 1 ? Number(showRate(value)) : rounded));
}
