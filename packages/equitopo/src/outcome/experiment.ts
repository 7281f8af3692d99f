/**
 * An experiment: the units of work that it consists of, and what its results must show. It computes nothing itself: `equitopo
 * run` or `equitopo reproduce` gives it the results of its units and draws the figures that it describes.
 */

import type { PlotSpec, Series } from "../picture/series.ts";
import type { RunSpec } from "../run/spec.ts";

/** A unit of work depends on nothing but itself, so that any worker can do it and a journal can keep its result. */
export interface Unit {
  /** "learning", or a kind that a study adds. */
  readonly kind: string;
  /** Unique in the experiment. */
  readonly key: string;
}

/** One run of a spec. */
export interface LearningUnit extends Unit {
  readonly kind: "learning";
  readonly run: RunSpec;
}

export const isLearning = (unit: Unit): unit is LearningUnit => unit.kind === "learning";

export interface Experiment<U extends Unit = Unit> {
  readonly name: string;
  readonly title: string;
  /** For a study of the paper: its place in the paper, and what the paper shows there. */
  readonly paper?: string | undefined;
  readonly shows?: string | undefined;
  /** Its parameters, for people. */
  parameters(scale: Scale): Readonly<Record<string, string>>;
  /** A table of the parameters that differ between runs, with a row for each run. */
  differing?(scale: Scale): Pick<Table, "columns" | "rows"> | undefined;
  units(scale: Scale): readonly U[];
  outcome(results: Results, scale: Scale): Outcome;
}

/** quick: smaller sizes and fewer repeats, for a first look; full: everything. */
export type Scale = "quick" | "full";

/** The results of units by their keys. */
export type Results = ReadonlyMap<string, unknown>;

export interface Outcome {
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  readonly checks: readonly Check[];
  /** The result in a sentence or a few, computed from the results. */
  readonly findings?: readonly string[];
  /** Figures that are not drawn but kept as numbers, and why. */
  readonly unshown?: readonly { readonly figure: CurveFigure; readonly why: string }[];
  /** What a reader should know before comparing with the paper. */
  readonly notes?: readonly string[];
}

export type Figure = CurveFigure | GraphFigure | BarFigure;

interface Captioned {
  /** File name without extension. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
}

export interface CurveFigure extends Captioned {
  readonly panels: readonly Panel[];
}

/** One number for each of several graphs. */
export interface BarFigure extends Captioned {
  readonly xLabel: string;
  readonly log?: boolean;
  readonly bars: readonly { readonly label: string; readonly topology: string; readonly value: number }[];
}

/** Graphs side by side. */
export interface GraphFigure extends Captioned {
  readonly graphs: readonly DrawnGraph[];
}

/** Nodes on a circle, labelled 1 to n as in the paper; an edge goes from -> to, or both ways if the graph is undirected. */
export interface DrawnGraph {
  readonly title: string;
  readonly n: number;
  readonly directed: boolean;
  readonly edges: readonly { readonly from: number; readonly to: number }[];
}

export type Panel = PlotSpec & { readonly title: string };

/** A mean over repeats with the range of the repeats, or a dashed line of theory. */
export type { Series };

export interface Table {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly caption?: string;
  /** More columns of the same rows, which only the file of numbers has: deviations beside means. */
  readonly spread?: { readonly columns: readonly string[]; readonly rows: Table["rows"] };
}

/** A condition that must hold, with the expected and the measured value. */
export interface Check {
  readonly name: string;
  readonly expected: string;
  readonly measured: string;
  readonly pass: boolean;
}
