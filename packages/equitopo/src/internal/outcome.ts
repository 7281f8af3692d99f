/** What `equitopo/outcome` exported before it was cut down to what programs need; outside semantic versioning. */

export { mean } from "../number/statistics.ts";
export { differencesInWords, differencesTable } from "../outcome/differences.ts";
export { isLearning, type Series } from "../outcome/experiment.ts";
export { bandOf, groupByLabel, metricsOf, runKey, words } from "../outcome/figures.ts";
export { checksFinding, listed } from "../outcome/findings.ts";
export * from "../outcome/index.ts";
export * from "../outcome/parameters.ts";
export { distinctPanels, uselessBecause } from "../outcome/selection.ts";
export { seedDifferences } from "../outcome/spec-experiment.ts";
