/** Functions that every engine computes alike, and hashes: the subpath `equitopo/number`, for packages beside this one. */

export { cosSinTurn, exp, log } from "./elementary.ts";
export { sha256, stateHash } from "./hash.ts";
