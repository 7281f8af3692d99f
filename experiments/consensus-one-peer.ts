/**
 * Figure "OD/OU-EquiDyn is faster than other topologies with Theta(1) degree" (section 6; Appendix D.2, right plots):
 * ring, grid, one-peer exponential, OD- and OU-EquiDyn (full basis, eta = 1/2) at n = 300 and n = 4900.
 */

import { consensusComparison, faster } from "./consensus-comparison.ts";
import { meetings } from "./exactness.ts";
import type { MeetingsResult, MeetingsUnit } from "./unit.ts";

const [RING, GRID, ONE_PEER, OD, OU] = ["Ring", "Grid", "O.-P. Exp.", "OD-EquiDyn", "OU-EquiDyn"];

const met: MeetingsUnit = {
  kind: "meetings",
  key: "OU-EquiDyn n=17 meetings",
  topology: { name: "ou-equidyn", n: 17, eta: 0.5, seed: 0 },
  rounds: 4000,
};

export const consensusOnePeer = consensusComparison({
  name: "consensus-one-peer",
  title: "Consensus with one peer per round (and the sparse classics)",
  paper: "Section 6, second experiment; Appendix D.2, right plots",
  shows: "OD- and OU-EquiDyn are much faster than ring, grid and the one-peer exponential graph.",
  parameters: { basis: "full, M = n - 1", eta: "1/2", grid: "15 x 20 and 70 x 70", start: "standard normal" },
  rounds: 150,
  contenders: [
    { title: RING, spec: (n) => ({ name: "ring", n }) },
    {
      title: GRID,
      spec: (n) => (n === 300 ? { name: "grid", n, rows: 15, cols: 20 } : { name: "grid", n, rows: 70, cols: 70 }),
    },
    { title: ONE_PEER, spec: (n) => ({ name: "one-peer-exp", n }) },
    { title: OD, equi: "dynamic", spec: (n, seed) => ({ name: "od-equidyn", n, eta: 0.5, seed }) },
    { title: OU, equi: "dynamic", spec: (n, seed) => ({ name: "ou-equidyn", n, eta: 0.5, seed }) },
  ],
  checks: (reached) => [
    faster(reached, OD, ONE_PEER),
    faster(reached, OU, ONE_PEER),
    faster(reached, ONE_PEER, GRID),
    faster(reached, OD, GRID, 3),
    faster(reached, OD, RING, 3),
  ],
  more: {
    units: [met],
    checks: (results) => [meetings(OU, met.topology.n, met.rounds, results.get(met.key) as MeetingsResult)],
  },
  caption:
    "Dashed, in the colour of its graph: the theorem's bound on the mean square, at that n; a single run may lie above it for a while.",
});
