/** Runs as units of work, and what came of them in figures, tables and sentences: the subpath `equitopo/outcome`. */

export { type BySeed, type Difference, pairedDifferences, type Summary, summaryOf } from "../number/statistics.ts";
export type {
  BarFigure,
  Check,
  CurveFigure,
  DrawnGraph,
  Experiment,
  Figure,
  GraphFigure,
  LearningUnit,
  Outcome,
  Panel,
  Results,
  Scale,
  Table,
  Unit,
} from "./experiment.ts";
export { type ByLabel, panelsOf, type SpecFigures, type SpecPanels, specFigures } from "./figures.ts";
export { findingsOf } from "./findings.ts";
export { finalTable, type SpecExperiment, specExperiment } from "./spec-experiment.ts";
