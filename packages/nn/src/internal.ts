/** What `@equitopo/nn` exported before it was cut down to what programs need; outside semantic versioning. */

export type { NamedBytes, NpyArray } from "equitopo/input";
export { estimateBatches, summarise as summariseTallies } from "./classification/evaluation.ts";
export * from "./classification/losses.ts";
export { partSize, testShare } from "./classification/tests.ts";
export { checkedDataset, firstImages } from "./data/dataset.ts";
export type { DataFamily as DataMember, WantedFiles as Wanted } from "./data/member.ts";
export { dealtSchedule } from "./data/schedule.ts";
export type { SplitFamily as SplitMember } from "./data/split.ts";
export { chooseSplit } from "./data/split.ts";
export * from "./index.ts";
export type { LayerFamily as LayerMember } from "./model/layer.ts";
export { DROPOUT_BLOCKS } from "./model/layers/elementwise.ts";
export type { ModelFamily as ModelMember } from "./model/member.ts";
export { type Score, score, scoreGroup } from "./model/score.ts";
export type { Initialisation as Start, KnownLayer } from "./model/spec.ts";
