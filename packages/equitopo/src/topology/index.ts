/** Topologies by name and what they are made of: the subpath `equitopo/topology`. */

export type { BasisOptions } from "./basis.ts";
export { circulantTopology, oneShift } from "./circulant.ts";
export { type CustomOptions, customGraph } from "./custom.ts";
export { type ElLocalOptions, elLocal } from "./el-local.ts";
export { type ElOracleOptions, elOracle } from "./el-oracle.ts";
export type { EquiDynOptions } from "./equidyn.ts";
export { type BaselineOptions, graphTopology, sparseRound, sparseTopology } from "./graph.ts";
export { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
export { type RandomGroupsOptions, randomGroups } from "./random-groups.ts";
export { type RandomMatchingOptions, randomMatching } from "./random-matching.ts";
export { buildTopology, createTopology, optionsOf, topologies } from "./registry.ts";
export { relabelled } from "./relabel.ts";
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
