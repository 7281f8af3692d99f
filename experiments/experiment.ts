/**
 * What an experiment is: the units of work it is made of, and what its results must show. It computes nothing by itself;
 * whoever runs it (`equitopo reproduce`) hands it the results of its units and draws the figures it describes.
 */

import type { PlotSpec, Series } from "equitopo/picture";
import type { Against } from "./against.ts";
import type { Unit, UnitResult } from "./unit.ts";

export interface Experiment {
  readonly name: string;
  readonly title: string;
  /** Where it stands in the paper. */
  readonly paper: string;
  /** What the paper shows there, in a sentence or two. */
  readonly shows: string;
  /** The data set that it cannot do without; `reproduce all` passes it over where that is not there. */
  readonly needs?: "mnist" | "cifar10";
  /** Its rows by title, and the experiment of fewer rows, other seeds or fewer epochs; where it has such a thing. */
  readonly rows?: readonly string[];
  choose?(choices: Choices): Experiment;
  /** Its parameters, for people. */
  parameters(scale: Scale): Readonly<Record<string, string>>;
  /** A row for each of its runs with what sets it apart, where that is a table. */
  differing?(scale: Scale): Pick<Table, "columns" | "rows"> | undefined;
  /** Independent units of work, each with a key of its own. */
  units(scale: Scale): readonly Unit[];
  outcome(results: Results, scale: Scale): Outcome;
}

/** What may be chosen of an experiment that is a table; what is left out is the paper's. */
export interface Choices {
  readonly epochs?: number;
  readonly rows?: readonly string[];
  readonly seeds?: readonly number[];
  readonly protocols?: readonly ("corrected" | "as-run")[];
  /** The images are the original ones, not a lossy copy: the paper's figures must come out. */
  readonly original?: true;
  /** Another program's figures to hold ours against. */
  readonly against?: Against;
}

/** quick: small enough for a minute in all; full: as in the paper. */
export type Scale = "quick" | "full";

export type Results = ReadonlyMap<string, UnitResult>;

export interface Outcome {
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  readonly checks: readonly Check[];
  /** What came out, in a sentence or a few, computed from the results. */
  readonly findings?: readonly string[];
  /** Curves that are kept as numbers but not drawn, and why. */
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

/** Nodes on a circle, labelled 1 to n as in the paper; an edge goes from -> to, or both ways where nothing is directed. */
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
}

/** What must hold, what was expected of it, and what came out. */
export interface Check {
  readonly name: string;
  readonly expected: string;
  readonly measured: string;
  readonly pass: boolean;
}
