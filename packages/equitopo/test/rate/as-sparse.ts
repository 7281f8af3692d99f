/** A topology whose rounds nobody sees to be circulant, so that the general ways of computing are taken. */

import { denseMatrix, type Round } from "../../src/round/round.ts";
import { sparseRound } from "../../src/topology/graph.ts";
import type { Topology } from "../../src/topology/topology.ts";

/** The same rounds as lists of edges, without what is known of them in closed form. */
export function asSparse(topology: Topology): Topology {
  const sparse = (round: Round): Round => {
    const w = denseMatrix(round);
    const { n } = round;
    const links = (i: number) =>
      Array.from({ length: n }, (_, j) => ({ node: j, weight: j === i ? 0 : w[i * n + j] })).filter(
        (l) => l.weight > 0,
      );
    return sparseRound(n, links);
  };
  const { moments: _m, draws: _d, ...rest } = topology;
  return { ...rest, round: (t) => sparse(topology.round(t)) };
}
