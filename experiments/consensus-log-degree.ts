/**
 * Appendix D.2, left plots: graphs of degree Theta(ln n): static exponential, D- and U-EquiStatic with M = 9 at n = 300
 * and M = 13 at n = 4900, as many as the static exponential graph has.
 */

import { consensusComparison, faster } from "./consensus-comparison.ts";

const [STATIC, D, U] = ["Static Exp.", "D-EquiStatic", "U-EquiStatic"];
const size = (n: number) => (n === 300 ? 9 : 13);

export const consensusLogDegree = consensusComparison({
  name: "consensus-log-degree",
  title: "Consensus with Θ(ln n) peers",
  paper: "Appendix D.2, left plots",
  shows: "D- and U-EquiStatic are faster than the static exponential graph with the same number of basis graphs.",
  parameters: { M: "9 and 13, redrawn in every repeat", degree: "9 and 13; up to twice that for U-EquiStatic" },
  rounds: 100,
  contenders: [
    { title: STATIC, spec: (n) => ({ name: "static-exp", n }) },
    { title: D, equi: "static", spec: (n, seed) => ({ name: "d-equistatic", n, m: size(n), seed }) },
    { title: U, equi: "static", spec: (n, seed) => ({ name: "u-equistatic", n, m: size(n), seed }) },
  ],
  checks: (reached) => [faster(reached, D, STATIC), faster(reached, U, STATIC), faster(reached, U, D)],
  caption: "Dashed, the bound of U-EquiStatic at that n. U-EquiStatic sends to up to 2M peers.",
});
