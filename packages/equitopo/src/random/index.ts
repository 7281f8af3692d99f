/** Numbers as functions of (seed, stream, round): the subpath `equitopo/random`. */

export { fillNormal } from "./normal.ts";
export { KeyedPermutation } from "./permutation.ts";
export { block, high32 } from "./philox.ts";
export { RandomStream, streams } from "./stream.ts";
