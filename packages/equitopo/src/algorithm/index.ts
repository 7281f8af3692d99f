/** What algorithms are made of and driven by: the subpath `equitopo/algorithm`. */

export * from "./algorithm.ts";
export { type Codec, type Compressor, quantise, randomK, topK } from "./compressor.ts";
export * from "./compressors.ts";
export * from "./condition.ts";
export { drive, driveAsync, driveSteps, type Turn } from "./drive.ts";
export { fittingTopologies, requireFit } from "./fit.ts";
export { localNetwork, Meter } from "./meter.ts";
export { type AlgorithmSpec, algorithm, algorithms, createAlgorithm, type Optimiser, optimiserOf } from "./registry.ts";
export * from "./rows.ts";
export * from "./schedule.ts";
export { createWorld, type WorldOptions } from "./world.ts";
