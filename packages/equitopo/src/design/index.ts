/** Searching for circulants with low rates, and what bounds them: the subpath `equitopo/design`. */

export { type Bound, designBound, welchBound } from "./bounds.ts";
export { attained, type Design, type DesignCertificate, designOn, supportBound } from "./design.ts";
export {
  betterOf,
  type Chunk,
  chunksOf,
  type DesignOptions,
  designTopology,
  exhaustible,
  question,
} from "./designer.ts";
export { exhaust, isExhaustible } from "./exhaust.ts";
export {
  designOnePeer,
  type OnePeerDesign,
  type OnePeerDesignOptions,
  onePeerBound,
  onePeerDesignOn,
  onePeerQuestion,
} from "./one-peer.ts";
export {
  type OnePeerFound,
  type OnePeerQuestion,
  OnePeerSearch,
  onePeerChunkSize,
  sequenceNorm,
} from "./one-peer-search.ts";
export { chunkSize, type Found, Search } from "./search.ts";
export { type Multiplier, Waves } from "./spectrum.ts";
export { columnsOf, type Question } from "./support.ts";
export { bestDesign, type TabledDesign, tabledDesign, tabledQuestions } from "./table.ts";
export { WeightOptimiser } from "./weights.ts";
