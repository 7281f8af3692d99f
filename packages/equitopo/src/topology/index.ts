/** Topologies by name and what they are made of: the subpath `equitopo/topology`. */

export { base } from "./base.ts";
export type { BasisOptions } from "./basis.ts";
export { circulantTopology, oneShift } from "./circulant.ts";
export { type CustomOptions, customGraph } from "./custom.ts";
export { deBruijn } from "./de-bruijn.ts";
export { doubling } from "./doubling.ts";
export type { EquiDynOptions } from "./equidyn.ts";
export { graphTopology, sparseRound, sparseTopology } from "./graph.ts";
export { type HyperHypercubeOptions, hyperHypercube } from "./hyper-hypercube.ts";
export { kPeerExp } from "./k-peer-exp.ts";
export { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
export { buildTopology, createTopology, topologies } from "./registry.ts";
export { simpleBase } from "./simple-base.ts";
export {
  byLabelDifference,
  checkOptions,
  defineTopology,
  type Family,
  guarded,
  type Link,
  type PairRound,
  type Peers,
  type Topology,
  type TopologySpec,
} from "./topology.ts";
export type { BaselineOptions, UndirectedOptions } from "./weights.ts";
