/** Topologies by name and what they are made of: the subpath `equitopo/topology`. */

export { base } from "./base.ts";
export type { BasisOptions } from "./basis.ts";
export { ceca1p } from "./ceca-1p.ts";
export { ceca2p } from "./ceca-2p.ts";
export { circulantTopology, oneShift } from "./circulant.ts";
export { type CustomOptions, customGraph } from "./custom.ts";
export { type DCliquesOptions, dCliques } from "./d-cliques.ts";
export { deBruijn } from "./de-bruijn.ts";
export { type DesignedOnePeerOptions, designedOnePeer } from "./designed-one-peer.ts";
export { type DesignedStaticOptions, designedStatic } from "./designed-static.ts";
export { doubling } from "./doubling.ts";
export { type ElLocalOptions, elLocal } from "./el-local.ts";
export { type ElOracleOptions, elOracle } from "./el-oracle.ts";
export type { EquiDynOptions } from "./equidyn.ts";
export { graphTopology, sparseRound, sparseTopology } from "./graph.ts";
export { type Grouping, groupNodes } from "./grouping.ts";
export { type HierarchyOptions, hierarchy } from "./hierarchy.ts";
export { type HyperHypercubeOptions, hyperHypercube } from "./hyper-hypercube.ts";
export { kPeerExp } from "./k-peer-exp.ts";
export { type LpsOptions, lps } from "./lps.ts";
export { margulis } from "./margulis.ts";
export { type MatchaOptions, matcha } from "./matcha.ts";
export { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
export { paley } from "./paley.ts";
export { type RandomGroupsOptions, randomGroups } from "./random-groups.ts";
export { type RandomMatchingOptions, randomMatching } from "./random-matching.ts";
export { type RandomPermutationsOptions, randomPermutations } from "./random-permutations.ts";
export { type RandomRegularOptions, randomRegular } from "./random-regular.ts";
export { buildTopology, createTopology, optionsOf, topologies, topologyNote } from "./registry.ts";
export { refuseRelabel, relabelled } from "./relabel.ts";
export { simpleBase } from "./simple-base.ts";
export { staticWork } from "./static-work.ts";
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
export type { BaselineOptions, Ends, UndirectedOptions } from "./weights.ts";
export { rateWork } from "./work.ts";
