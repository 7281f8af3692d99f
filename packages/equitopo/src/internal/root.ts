/** What `equitopo` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../index.ts";
export type { AnyFamily as Member } from "../input/registry.ts";
export * from "../rate/rate.ts";
export type { denseMatrix, forEachEdge, forEachEdgeInto, selfWeight } from "../round/round.ts";
export type { Snapshot as Standing } from "../run/record.ts";
export type { Neighbour as Link, PairRound, TopologyFamily as Family } from "../topology/topology.ts";
