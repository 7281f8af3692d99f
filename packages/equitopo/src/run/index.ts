/** What runs are made of: the subpath `equitopo/run`. */

export type { Counted } from "../algorithm/meter.ts";
export type { History, Step, Used } from "./async/history.ts";
export type { Inbox } from "./async/inbox.ts";
export type { AsyncMode, AsyncSimulation, ModeKeys } from "./async/mode.ts";
export type { AsyncNode } from "./async/node.ts";
export { type Replay, type ReplayOptions, replay } from "./async/replay.ts";
export { type Averaging, averaging } from "./average.ts";
export { type CheckpointContent, decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
export { Cadence, type CadenceOptions, type Due } from "./course/cadence.ts";
export { Course, type CourseHooks, type CourseOptions } from "./course/course.ts";
export { divergedAt } from "./diverged.ts";
export { fromExactJson, toExactJson } from "./exact-json.ts";
export {
  type Driver,
  type DriverName,
  drivers,
  type FeaturePair,
  featureTable,
  hasFeature,
  type Need,
  requireFeatures,
} from "./features/driver.ts";
export { type FeatureName, type FeatureOptions, type Features, features, featuresOf } from "./features/feature.ts";
export {
  type FolderContent,
  type FolderSpec,
  type FolderUnit,
  type JournalEntry,
  journalLine,
  readFolder,
  readJournal,
} from "./folder.ts";
export { withGraphs } from "./graphs.ts";
export { byHost, groupsByHost, type HierarchyKeys } from "./hierarchy.ts";
export { type Recorded, Recorder } from "./record.ts";
export { robustFor } from "./robust.ts";
export { type AsyncSimulationOptions, simulationSteps } from "./simulate.ts";
export type { PluginEntry, RunFaults } from "./spec.ts";
export { starts } from "./start.ts";
