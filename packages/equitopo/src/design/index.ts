/** Searching for circulants with low rates, and what bounds them: the subpath `equitopo/design`. */

export { type Bound, designBound, welchBound } from "./bounds.ts";
export { attained, type Design, type DesignCertificate, designOn, supportBound } from "./design.ts";
export { chunkSize, type Found, type Question, Search } from "./search.ts";
export type { Multiplier } from "./spectrum.ts";
