/**
 * Who talks to whom in one round of a run that is watched: nobody tells it, because whoever has the spec can compute it.
 * Of very many edges some are picked, evenly, as many as a picture can show.
 */

import type { LiveSpec } from "@equitopo/web";
import { createTopology } from "equitopo";
import { forEachEdge } from "equitopo/round";

export interface EdgesQuestion {
  readonly topology: LiveSpec["topology"];
  readonly t: number;
}

export interface Edges {
  /** Of the round in all. */
  readonly count: number;
  /** from, to, from, to, ... of those that are shown. */
  readonly ends: readonly number[];
  readonly directed: boolean;
}

export const mostEdges = 1500;

export function* edges({ topology: spec, t }: EdgesQuestion): Generator<undefined, Edges> {
  const topology = createTopology(spec);
  const all: number[] = [];
  forEachEdge(topology.round(t), (from, to) => {
    // An undirected edge comes both ways, and is drawn once.
    if (topology.directed || from < to) all.push(from, to);
  });
  const count = all.length / 2;
  const shown = Math.min(count, mostEdges);
  const ends = Array.from({ length: shown }, (_, k) => Math.floor((k * count) / shown)).flatMap((at) => [
    all[2 * at],
    all[2 * at + 1],
  ]);
  return { count, ends, directed: topology.directed };
}
