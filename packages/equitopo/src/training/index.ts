/** Training of many replicas on Node's threads: the subpath `equitopo/training`. */

export type { Score } from "./score.ts";
export { cifar10Rate, createModel, type ModelSpec, modelNames, type TrainingSpec } from "./spec.ts";
export { type Evaluation, Trainer, type TrainerOptions, type TrainingState } from "./trainer.ts";
export type { Trial } from "./work.ts";
