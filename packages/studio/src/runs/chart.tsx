/**
 * A figure of curves as the reports have it, drawn for the room there is. It is SVG in an image: it can be read by a
 * screen reader through its words, kept by a right click, and run nothing.
 */

import { lineFigure, type PlotSpec } from "equitopo/picture";
import { useRef } from "preact/hooks";
import type { Figure } from "../page.ts";
import { useWidth } from "../part/use-width.ts";
import { theme } from "../store.ts";

interface ChartProps {
  readonly title: string;
  readonly plot: PlotSpec;
  /** What it says, in words, to which the last value of each curve is added. */
  readonly said: string;
  readonly id: string;
}

/** Of an image: SVG in a page could run scripts. */
export const svgAddress = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

export function Chart({ title, plot, said, id }: ChartProps) {
  const place = useRef<HTMLElement>(null);
  const width = useWidth(place);
  const svg = width < 100 ? undefined : chartSvg(title, plot, width, theme());
  const ends = plot.series.map(({ label, mean }) => `${label} ${mean.at(-1)?.toPrecision(4)}`).join("; ");
  return (
    <figure ref={place} class="chart">
      {svg === undefined ? null : <img id={id} src={svgAddress(svg)} alt={`${said}: ${ends}.`} />}
    </figure>
  );
}

/** Names of curves are at their ends, or above the chart if that would leave no room for the curves. */
export function chartSvg(title: string, plot: PlotSpec, width: number, shade: "light" | "dark"): string {
  const labelsAbove = width < narrow;
  // A narrow legend has a row for every curve or two.
  const height = labelsAbove ? 320 + 14 * plot.series.length : Math.round(Math.min(460, width * 0.55));
  return lineFigure({ ...plot, title, width, height, theme: shade, labelsAbove });
}

const narrow = 520;

/** For the export. */
export function chartFigure(name: string, title: string, plot: PlotSpec): Figure {
  const [width, height] = [960, 460];
  return { name, title, size: [width, height], svg: (shade) => chartSvg(title, plot, width, shade) };
}
