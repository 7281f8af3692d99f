/** What every file format is given: rounds of a topology, whether their edges go both ways, and how they are drawn. */

import type { Round } from "equitopo";
import { forEachEdgeInto } from "equitopo/internal/round";
import type { Layout } from "equitopo/picture";
import type { Look } from "../figure/files.ts";

export interface NumberedRound {
  readonly round: Round;
  /** The number of the round; null where its random choices were given by hand. */
  readonly number: number | null;
  /** In words: "round 3", "s = 2, v = 5". */
  readonly name: string;
}

export interface Drawing {
  /** At least one; formats that hold one round are handed no more. */
  readonly rounds: readonly NumberedRound[];
  /** A range of rounds was asked for, if only of one: formats that can hold many write a list. */
  readonly isRange: boolean;
  /** Every edge has its reverse of equal weight: formats with undirected edges write each pair once. */
  readonly symmetric: boolean;
  readonly title: string;
  readonly look: Look;
  /** Where its nodes stand in a picture; made for those formats that are one. */
  layout(): Layout;
  /** What is worth knowing of this very graph. */
  readonly note?: string;
}

/** The edges into node `to`, in the order of additions. */
export function edgesInto(round: Round, to: number) {
  const edges: { from: number; weight: number }[] = [];
  forEachEdgeInto(round, to, (from, _to, weight) => edges.push({ from, weight }));
  return edges;
}

/** All edges with the node that they lead to; of two that are one another's reverse only one, where rounds are symmetric. */
export function* edgesOnce({ rounds: [{ round }], symmetric }: Drawing) {
  for (let to = 0; to < round.n; to++) {
    for (const edge of edgesInto(round, to)) if (!symmetric || edge.from <= to) yield { ...edge, to };
  }
}
