/** Numbers as functions of (seed, stream, round): the subpath `equitopo/random`. */

export { fillNormal } from "./normal.ts";
export { block } from "./philox.ts";
export { RandomStream, streams } from "./stream.ts";
