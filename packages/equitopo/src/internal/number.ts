/** What `equitopo/number` exported before it was cut down to what programs need; outside semantic versioning. */

export { sha256Bytes, stateHash } from "../number/hash.ts";
export { sameBytes } from "../number/hmac.ts";
export * from "../number/index.ts";
export { bezout, ceilLog, ceilLog2, mulMod, powMod } from "../number/integers.ts";
