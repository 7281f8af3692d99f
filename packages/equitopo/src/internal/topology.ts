/** What `equitopo/topology` exported before it was cut down to what programs need; outside semantic versioning. */

export type { BasisOptions } from "../topology/basis.ts";
export { circulantTopology } from "../topology/circulant.ts";
export * from "../topology/custom.ts";
export type { EquiDynOptions } from "../topology/equidyn.ts";
export { graphOf } from "../topology/file.ts";
export { graphTopology, sparseTopology } from "../topology/graph.ts";
export * from "../topology/index.ts";
export { buildTopology, createTopology, optionsOf, topologies } from "../topology/registry.ts";
export { refuseRelabel } from "../topology/relabel.ts";
export type { Neighbour as Link, TopologyFamily as Family } from "../topology/topology.ts";
export {
  byLabelDifference,
  defineTopology,
  type Neighbour,
  type PairRound,
  type Peers,
  type Topology,
  type TopologyFamily,
  type TopologySpec,
} from "../topology/topology.ts";
export type { BaselineOptions, UndirectedOptions } from "../topology/weights.ts";
