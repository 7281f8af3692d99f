/** What every file format is given: one round of a topology, and whether its edges go both ways. */

import { InputError, type Round } from "equitopo";
import type { Layout } from "equitopo/picture";
import { forEachEdgeInto } from "equitopo/round";

export interface Drawing {
  readonly round: Round;
  /** The number of the round; null where its random choices were given by hand. */
  readonly number: number | null;
  /** Every edge has its reverse of equal weight: formats with undirected edges write each pair once. */
  readonly symmetric: boolean;
  /** Where its nodes stand in a picture. */
  readonly layout: Layout;
}

export interface InEdge {
  readonly from: number;
  readonly weight: number;
}

/** The edges into node `to`, in the order of additions. */
export function edgesInto(round: Round, to: number): InEdge[] {
  const edges: InEdge[] = [];
  forEachEdgeInto(round, to, (from, _to, weight) => edges.push({ from, weight }));
  return edges;
}

/** Refuses graphs that a format would blow up. */
export function atMost(what: string, limit: number, value: number, remedy: string): void {
  if (value > limit) throw new InputError(`${what} must be at most ${limit}`, value, remedy);
}
