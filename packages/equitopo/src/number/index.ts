/** Hashes, and numbers that are the same in every engine: the subpath `equitopo/number`. */

export * from "./elementary.ts";
export { sha256, stateHash } from "./hash.ts";
export * from "./integers.ts";
