/** Numbers as functions of (seed, stream, round): the subpath `equitopo/random`. */

export { fillNormal } from "./normal.ts";
export { KeyedPermutation } from "./permutation.ts";
export { block } from "./philox.ts";
export { streams } from "./stream.ts";
