/** What runs are made of: the subpath `equitopo/run`. */

export type { History, Step, Used } from "./async/history.ts";
export type { Inbox } from "./async/inbox.ts";
export { type AsyncMode, asyncMode, type ModeKeys } from "./async/mode.ts";
export type { AsyncNode } from "./async/node.ts";
export { type Replay, type ReplayOptions, replay, replayRun } from "./async/replay.ts";
export type { AsyncSimulation } from "./async/simulate.ts";
export { type Averaging, averager, averaging } from "./average.ts";
export { type CheckpointContent, checkpointVersion, decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
export { fromExactJson, toExactJson } from "./exact-json.ts";
export {
  canonicalJson,
  type FolderContent,
  type FolderSpec,
  type FolderUnit,
  folderFormat,
  journalSalt,
  readFolder,
} from "./folder.ts";
export { byHost, groupsByHost, type HierarchyKeys, withHosts } from "./hierarchy.ts";
export { type JournalEntry, journalEntry, journalLine, readJournal, textHash } from "./journal.ts";
export { contextOf, liarsOf, requireAttackable, requirePlayable } from "./liars.ts";
export { type Counted, type Curves, prefixed, Recorder, type SavedRun, within } from "./record.ts";
export { robustFor } from "./robust.ts";
export {
  divergedAt,
  type RunOptions,
  type RunResult,
  requireOwnPrecision,
  resultOf,
  runIdentity,
  runSpec,
  runSpecAsync,
} from "./run.ts";
export {
  type AsyncSimulationOptions,
  type SimulationOptions,
  type SimulationRecord,
  simulate,
  simulateAsync,
  simulationSteps,
} from "./simulate.ts";
export {
  expandSpec,
  holdsObjects,
  type PluginEntry,
  type RunEntry,
  type RunFaults,
  type RunSpec,
  type SpecDocument,
  specVersion,
} from "./spec.ts";
export type { Standing } from "./standing.ts";
export { type Start, starts } from "./start.ts";
