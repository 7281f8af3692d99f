/**
 * Who talks to whom in one round of a run that is watched: nobody tells it, because whoever has the spec can compute it.
 * Nodes stand where the view of rounds has them.
 */

import type { LiveSpec } from "@equitopo/web";
import { createTopology, type Topology } from "equitopo";
import { layoutOf } from "equitopo/picture";
import { type Edges, pickEdges } from "../rounds/edges.ts";
import type { Scene } from "../rounds/work.ts";

export interface MeetingsQuestion {
  readonly topology: LiveSpec["topology"];
  readonly t: number;
}

export interface Meetings {
  readonly t: number;
  readonly scene: Scene;
  readonly edges: Edges;
}

/** The last topology and its places: rounds of one run are asked for one after another. */
let known: { readonly text: string; readonly topology: Topology; readonly scene: Scene } | undefined;

export function* meetings({ topology: spec, t }: MeetingsQuestion): Generator<undefined, Meetings> {
  const text = JSON.stringify(spec);
  if (known?.text !== text) {
    const topology = createTopology(spec);
    const { n, directed, symmetric, maxDegree: degree, kind } = topology;
    known = { text, topology, scene: { n, layout: layoutOf(topology), directed, symmetric, degree, kind } };
  }
  const { topology, scene } = known;
  // A newer question may have come while the topology was made.
  yield;
  const round = topology.round(t);
  return { t, scene, edges: pickEdges(round, round, topology.symmetric) };
}
