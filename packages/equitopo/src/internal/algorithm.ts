/** What `equitopo/algorithm` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../algorithm/algorithm.ts";
export type { Codec, Compressor } from "../algorithm/compressor.ts";
export * from "../algorithm/compressors.ts";
export * from "../algorithm/condition.ts";
export { driveSteps } from "../algorithm/drive.ts";
export * from "../algorithm/index.ts";
export { localNetwork } from "../algorithm/meter.ts";
export { type AlgorithmSpec, algorithms, createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
export * from "../algorithm/rows.ts";
export * from "../algorithm/schedule.ts";
