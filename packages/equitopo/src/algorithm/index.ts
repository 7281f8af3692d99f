/** What algorithms are made of and driven by: the subpath `equitopo/algorithm`. */

export { type AlgorithmDefinition, firstRound, type RowPasses, twoVectors } from "./algorithm.ts";
export { quantise, randomK, topK } from "./compressor.ts";
export { rowStochastic, twoVector } from "./condition.ts";
export { drive, driveAsync, type Turn } from "./drive.ts";
export { fittingTopologies, requireFit } from "./fit.ts";
export { Meter } from "./meter.ts";
export { algorithm, optimiserOf } from "./registry.ts";
export { createWorld, type WorldOptions } from "./world.ts";
