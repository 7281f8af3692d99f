/**
 * The spectrum of a topology as standalone SVG: the picture of the studio's view of spectra (disc.ts), with a title above it,
 * and below it what the eigenvalues are and how the rate depends on them, for every kind of topology.
 */

import type { Rate } from "../rate/rate.ts";
import type { Spectrum } from "../rate/spectrum.ts";
import type { Topology } from "../topology/topology.ts";
import { type Disc, discMarks, drawDisc } from "./disc.ts";
import { heading, standalone } from "./figure.ts";
import { titleOf } from "./name.ts";
import { showCount, showRate, showRateOf } from "./numbers.ts";
import { themes, topologyColour } from "./palette.ts";
import { svgElements } from "./pen.ts";
import { text, wrap } from "./text.ts";

/** The disc of a spectrum. For a period its norm is drawn, and not the rate of its worst round. O(1). */
export function discOf(name: string, spectrum: Spectrum, rate: Rate, floor?: number): Disc {
  const { of, re, im } = spectrum;
  const isPeriod = of === "period" && rate.periodNorm !== undefined;
  return {
    ...{ re, im, bound: isPeriod ? null : rate.bound, floor },
    ...(isPeriod ? { most: rate.periodNorm, mostName: "a period" } : { most: rate.rate, mostName: "β" }),
    colour: topologyColour(name) ?? "#6b6b6b",
  };
}

const LINE = 17;

/**
 * The eigenvalues on the complex plane with the unit circle, the circle of the exact rate and that of the paper's bound if it
 * has one. O(n); of more than 20,000 eigenvalues those that fall together are one mark, as the caption says.
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
export function spectrumFigure(
  topology: Topology,
  spectrum: Spectrum,
  rate: Rate,
  { width = 640, noTitle = false }: { readonly width?: number; readonly noTitle?: boolean } = {},
): string {
  const { name, n } = topology;
  const theme = themes.light;
  const disc = discOf(name, spectrum, rate);
  const title = `${titleOf(name)}, n = ${showCount(n)}: eigenvalues of ${matrixName(spectrum)}`;
  const bound = rate.bound === null ? "" : `, the paper's bound ${showRate(rate.bound)}`;
  const period = rate.periodNorm === undefined ? "" : `, a period leaves at most ${showRate(rate.periodNorm)}`;
  const head = heading(noTitle ? "" : title, `rate β = ${showRateOf(rate)}${period}${bound}`, width, theme);
  const lines = caption(topology, spectrum, rate, disc, width).flatMap((words) => wrap(words, 12, width - 64));
  const under = head.height + width;
  const paper = { width, height: width, theme: "light" } as const;
  const plane = svgElements((pen) => drawDisc(pen, paper, disc), paper).join("\n");
  const words = lines.map((line, k) => text(line, 32, under + LINE * (k + 1), 12, theme.ink)).join("");
  const body = `${head.svg}<svg y="${head.height}" width="${width}" height="${width}">\n${plane}\n</svg>${words}`;
  return standalone(title, width, under + LINE * (lines.length + 1), "light", body);
}

function caption(topology: Topology, spectrum: Spectrum, rate: Rate, disc: Disc, width: number): string[] {
  const { kind, symmetric, n } = topology;
  const full = disc.mostName === "β" ? "the rate β" : "what a period leaves of any disagreement at most";
  const dashed = disc.bound !== null && disc.bound < 1 ? "; dashed: the paper's bound on it" : "";
  const marks = discMarks(disc, { width, height: width }).length;
  const together = `${showCount(n - 1)} eigenvalues in ${showCount(marks)} ${marks === 1 ? "mark" : "marks"}: those that fall on one place are one mark.`;
  return [
    meaning({ kind, symmetric, rate, of: spectrum.of, rounds: spectrum.rounds, largest: largestModulus(spectrum) }),
    `Thin circle: modulus 1; full circle: ${full}${dashed}; ring at 1: consensus itself.`,
    ...(marks < n - 1 ? [together] : []),
  ];
}

export interface SpectrumFacts extends Pick<Topology, "kind" | "symmetric">, Pick<Spectrum, "of" | "rounds"> {
  readonly rate: Rate;
  /** The largest modulus beside the 1 of consensus. */
  readonly largest: number;
}

/** The matrix that the eigenvalues belong to, for the picture's title. */
export function matrixName({ of, rounds }: Pick<Spectrum, "of" | "rounds">, round?: number): string {
  const names = {
    W: "W",
    period: `W(${rounds - 1}) ··· W(0), one period of ${rounds} rounds`,
    mean: "E W, the mean of the drawn rounds",
    "sampled mean": `the mean of ${rounds} drawn rounds`,
  };
  return round === undefined ? names[of] : `W(${round})`;
}

/** What the eigenvalues mean, in two sentences at most. */
export function meaning(facts: SpectrumFacts, round?: number): string {
  const { kind, of, rounds, rate, largest, symmetric } = facts;
  if (round !== undefined && kind !== "static") {
    return "One round alone leaves much as it was: eigenvalues 1 beside that of consensus are what this round does not mix. The rate is about many rounds.";
  }
  if (of === "W") {
    if (Math.abs(largest - rate.rate) < 1e-9)
      return `W is ${symmetric ? "symmetric" : "normal"}: the rate β is the largest modulus beside the 1 of consensus.`;
    return "W is not normal: the rate β is its largest singular value beside consensus, above the largest modulus, which tells only the long run.";
  }
  if (of === "period") {
    if (largest < 1e-9)
      return "All eigenvalues of a period but that of consensus are 0: after one period every node holds the exact mean. The rate β is that of the worst single round.";
    return `Over a period the largest modulus is ${largest.toPrecision(4)}, ${(largest ** (1 / rounds)).toFixed(6)} a round in the long run. The rate β is that of the worst single round.`;
  }
  const sampled = of === "sampled mean" ? " (sampled here)" : "";
  return `Rounds are drawn anew: these are the eigenvalues of their mean E W${sampled}, which tell what becomes of the average over many runs. The rate β is larger: the root of the largest eigenvalue of E WᵀW beside consensus, what one run shrinks by in mean square.`;
}

/** The largest modulus beside the 1 of consensus, which comes first. */
export function largestModulus({ re, im }: { readonly re: Float64Array; readonly im: Float64Array }): number {
  let largest = 0;
  for (let k = 1; k < re.length; k++) largest = Math.max(largest, Math.hypot(re[k], im[k]));
  return largest;
}
