/**
 * The spectrum of a topology as standalone SVG: what the studio's view of spectra shows (disc.ts), with a title above it and
 * underneath what the eigenvalues are and what the rate has to do with them (spectrum-words.ts).
 */

import type { Rate } from "../rate/rate.ts";
import type { Spectrum } from "../rate/spectrum.ts";
import type { Topology } from "../topology/topology.ts";
import { type Disc, discMarks, drawDisc } from "./disc.ts";
import { heading, standalone, text } from "./figure.ts";
import { titleOf } from "./name.ts";
import { showCount, showRate, showRateOf } from "./numbers.ts";
import { themes, topologyColour } from "./palette.ts";
import { largestModulus, matrixName, meaning } from "./spectrum-words.ts";
import { svgElements } from "./svg-pen.ts";
import { wrap } from "./text.ts";

/** What is drawn of a spectrum. Of a period the norm belongs to it, and not the rate of its worst round. O(1). */
export function discOf(name: string, spectrum: Spectrum, rate: Rate, floor?: number): Disc {
  const { of, re, im } = spectrum;
  const isPeriod = of === "period" && rate.periodNorm !== undefined;
  return {
    ...{ re, im, bound: isPeriod ? null : rate.bound, floor },
    ...(isPeriod ? { most: rate.periodNorm, mostName: "a period" } : { most: rate.rate, mostName: "β" }),
    colour: topologyColour(name) ?? "#6b6b6b",
  };
}

const SIZE = 640;
const LINE = 17;

/**
 * The eigenvalues on the complex plane with the unit circle, the circle of the exact rate and that of the paper's bound
 * where it has one. O(n); of more than 20,000 eigenvalues those that fall together are one mark, and the caption says so.
 *
 * @example
 * ```ts
 * import { odEquiDyn } from "equitopo";
 * import { spectrumFigure } from "equitopo/picture";
 * import { spectrum } from "equitopo/rate";
 * const graph = odEquiDyn({ n: 16 });
 * const svg = spectrumFigure(graph, spectrum(graph), graph.rate());
 * svg.includes("OD-EquiDyn, n = 16: eigenvalues of E W") // => true
 * ```
 */
export function spectrumFigure(topology: Topology, spectrum: Spectrum, rate: Rate): string {
  const { name, n } = topology;
  const theme = themes.light;
  const disc = discOf(name, spectrum, rate);
  const title = `${titleOf(name)}, n = ${showCount(n)}: eigenvalues of ${matrixName(spectrum)}`;
  const bound = rate.bound === null ? "" : `, the paper's bound ${showRate(rate.bound)}`;
  const period = rate.periodNorm === undefined ? "" : `, a period leaves at most ${showRate(rate.periodNorm)}`;
  const head = heading(title, `rate β = ${showRateOf(rate)}${period}${bound}`, SIZE, theme);
  const lines = caption(topology, spectrum, rate, disc).flatMap((words) => wrap(words, 12, SIZE - 64));
  const under = head.height + SIZE;
  const paper = { width: SIZE, height: SIZE, theme: "light" } as const;
  const plane = svgElements((pen) => drawDisc(pen, paper, disc), paper).join("\n");
  const words = lines.map((line, k) => text(line, 32, under + LINE * (k + 1), 12, theme.ink)).join("");
  const body = `${head.svg}<svg y="${head.height}" width="${SIZE}" height="${SIZE}">\n${plane}\n</svg>${words}`;
  return standalone(title, SIZE, under + LINE * (lines.length + 1), "light", body);
}

function caption(topology: Topology, spectrum: Spectrum, rate: Rate, disc: Disc): string[] {
  const { kind, symmetric, n } = topology;
  const full = disc.mostName === "β" ? "the rate β" : "what a period leaves of any disagreement at most";
  const dashed = disc.bound !== null && disc.bound < 1 ? "; dashed: the paper's bound on it" : "";
  const marks = discMarks(disc, { width: SIZE, height: SIZE }).length;
  const together = `${showCount(n - 1)} eigenvalues in ${showCount(marks)} ${marks === 1 ? "mark" : "marks"}: those that fall on one place are one mark.`;
  return [
    meaning({ kind, symmetric, rate, of: spectrum.of, rounds: spectrum.rounds, largest: largestModulus(spectrum) }),
    `Thin circle: modulus 1; full circle: ${full}${dashed}; ring at 1: consensus itself.`,
    ...(marks < n - 1 ? [together] : []),
  ];
}
