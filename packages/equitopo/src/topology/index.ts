/** Topologies by name and what they are made of: the subpath `equitopo/topology`. */

export type { BasisOptions } from "./basis.ts";
export { circulantTopology, oneShift } from "./circulant.ts";
export { type CustomOptions, customGraph } from "./custom.ts";
export { type DesignedOnePeerOptions, designedOnePeer } from "./designed-one-peer.ts";
export { type DesignedStaticOptions, designedStatic } from "./designed-static.ts";
export type { EquiDynOptions } from "./equidyn.ts";
export { type BaselineOptions, graphTopology, sparseRound, sparseTopology } from "./graph.ts";
export { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
export { buildTopology, createTopology, topologies } from "./registry.ts";
export {
  byLabelDifference,
  defineTopology,
  type Family,
  type Link,
  type PairRound,
  type Peers,
  type Topology,
  type TopologySpec,
} from "./topology.ts";
