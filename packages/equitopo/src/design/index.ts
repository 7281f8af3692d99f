/** Searching for circulants with low rates, and what bounds them: the subpath `equitopo/design`. */

export { type Bound, designBound, welchBound } from "./bounds.ts";
export { supportBound } from "./design.ts";
export { designOnePeer, type OnePeerDesign, type OnePeerDesignOptions, onePeerBound } from "./one-peer.ts";
export type { Multiplier } from "./spectrum.ts";
