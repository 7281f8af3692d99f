/** What `equitopo/run` exported before it was cut down to what programs need; outside semantic versioning. */

export { asyncMode } from "../run/async/mode.ts";
export { replayRun } from "../run/async/replay.ts";
export { averager } from "../run/average.ts";
export { checkpointVersion } from "../run/checkpoint.ts";
export { prefixed, within } from "../run/course/parts.ts";
export * from "../run/features/driver.ts";
export { canonicalJson, folderFormat, journalEntry, journalSalt, textHash } from "../run/folder.ts";
export { withHosts } from "../run/hierarchy.ts";
export * from "../run/index.ts";
export type { Curves, SavedRun, Snapshot, Snapshot as Standing } from "../run/record.ts";
export { type RunOptions, type RunResult, resultOf, runIdentity, runSpec, runSpecAsync } from "../run/run.ts";
export { contextOf, liarsOf } from "../run/run-spec.ts";
export { type SimulationOptions, type SimulationRecord, simulate, simulateAsync } from "../run/simulate.ts";
export { expandSpec, holdsObjects, type RunEntry, type RunSpec, type SpecDocument, specVersion } from "../run/spec.ts";
export type { Start } from "../run/start.ts";
