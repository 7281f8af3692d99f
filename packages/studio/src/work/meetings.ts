/**
 * Who talks to whom in one round of a run that is watched: nobody reports it, because whoever has the spec can compute it.
 * Nodes stand where the view of rounds has them.
 */

import type { LiveSpec } from "@equitopo/web";
import { createTopology, type Topology } from "equitopo";
import { layoutOf } from "equitopo/picture";
import { pickEdges } from "./edges.ts";

export type Meetings = ReturnType<typeof meetings> extends Generator<undefined, infer M> ? M : never;

/** The last topology: rounds of one run are asked for one after another. */
let known: { readonly text: string; readonly topology: Topology } | undefined;

export function* meetings(question: Pick<LiveSpec, "topology"> & { t: number }) {
  const text = JSON.stringify(question.topology);
  if (known?.text !== text) known = { text, topology: createTopology(question.topology) };
  const { topology } = known;
  // A newer question may have come while the topology was made.
  yield;
  const { symmetric } = topology;
  const round = topology.round(question.t);
  return { t: question.t, symmetric, layout: layoutOf(topology), edges: pickEdges(round, round, symmetric) };
}
