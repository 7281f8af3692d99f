/** What `equitopo/random` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../random/index.ts";
export { high32 } from "../random/philox.ts";
export { RandomStream } from "../random/stream.ts";
