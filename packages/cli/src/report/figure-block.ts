/**
 * A figure on the page: its curves' names above, its panels side by side as far as there is room (one below the other on a
 * phone, where a whole figure would be too small to read), the caption, and links to the SVG and to the numbers.
 */

import { InputError } from "equitopo";
import { escapeText, type FigurePieces } from "equitopo/internal/picture";

export interface ShownFigure {
  readonly name: string;
  readonly title?: string;
  /** The whole, to be kept as a file. */
  readonly svg: string;
  /** The pieces that the page shows; the whole where left out. */
  readonly shown?: readonly string[];
  readonly keys?: FigurePieces["keys"];
  readonly caption: string;
  /** The file of its numbers, beside the report. */
  readonly csv?: string;
}

export function figure({ name, title, svg, shown = [svg], keys = [], caption, csv }: ShownFigure): string {
  for (const one of [svg, ...shown, ...keys.map((key) => key.svg)]) requireDrawing(one);
  const data = Buffer.from(svg).toString("base64");
  const links = [
    `<a download="${escapeText(name)}.svg" href="data:image/svg+xml;base64,${data}">Download SVG</a>`,
    ...(csv === undefined ? [] : [`<a href="${escapeText(encodeURIComponent(csv))}">Numbers (CSV)</a>`]),
  ];
  const heading = title === undefined ? "" : `<h4>${escapeText(title)}</h4>\n`;
  const items = keys.map(
    (key) => `<li class="key" data-series="${escapeText(key.label)}">${key.svg}${escapeText(key.label)}</li>`,
  );
  // The one curve of a figure needs no name beside the title.
  const legend = items.length < 2 ? "" : `<ul class="legend">${items.join("")}</ul>\n`;
  const least = Math.min(...shown.map((one) => Number(/ width="([\d.]+)"/.exec(one)?.[1] ?? 300)));
  const wide = shown.length > 1 ? ` class="wide"` : "";
  return (
    `<figure${wide}>\n${heading}${legend}<div class="${shown.length === 2 || shown.length === 4 ? "panels pairs" : "panels"}" style="--least:${least}px">${shown.map((one) => one.trim()).join("\n")}</div>\n` +
    `<figcaption>${escapeText(caption)} ${links.join(" · ")}</figcaption>\n</figure>`
  );
}

function requireDrawing(svg: string): void {
  if (svg.startsWith("<svg ") && !/<script|<foreignObject|<[^>]*\son\w+\s*=\s*["']/i.test(svg)) return;
  throw new InputError(
    "a figure must be SVG that only draws",
    svg.slice(0, 40),
    "make it with lineFigure or barFigure",
  );
}
