/** What the eigenvalues in a picture are, and what the rate has to do with them, said truthfully for every kind. */

import type { Rate } from "../rate/rate.ts";
import type { Spectrum } from "../rate/spectrum.ts";
import type { Topology } from "../topology/topology.ts";

export interface SpectrumFacts extends Pick<Topology, "kind" | "symmetric">, Pick<Spectrum, "of" | "rounds"> {
  readonly rate: Rate;
  /** The largest modulus beside the 1 of consensus. */
  readonly largest: number;
}

/** Whose eigenvalues they are, for the picture's title. */
export function matrixName({ of, rounds }: Pick<Spectrum, "of" | "rounds">, round?: number): string {
  if (round !== undefined) return `W(${round})`;
  const names = {
    W: "W",
    period: `W(${rounds - 1}) ··· W(0), one period of ${rounds} rounds`,
    mean: "E W, the mean of the drawn rounds",
    "sampled mean": `the mean of ${rounds} drawn rounds`,
  };
  return names[of];
}

/** Two sentences at most. */
export function meaning(facts: SpectrumFacts, round?: number): string {
  const { kind, of, rounds, rate, largest, symmetric } = facts;
  if (round !== undefined && kind !== "static") {
    return "One round alone leaves much as it was: eigenvalues 1 beside that of consensus are what this round does not mix. The rate is about many rounds.";
  }
  if (of === "W") {
    const same = Math.abs(largest - rate.rate) < 1e-9;
    if (same)
      return `W is ${symmetric ? "symmetric" : "normal"}: the rate β is the largest modulus beside the 1 of consensus.`;
    return "W is not normal: the rate β is its largest singular value beside consensus, above the largest modulus, which tells only the long run.";
  }
  if (of === "period") {
    const root = largest ** (1 / rounds);
    if (largest < 1e-9)
      return "All eigenvalues of a period but that of consensus are 0: after one period every node holds the exact mean. The rate β is that of the worst single round.";
    return `Over a period the largest modulus is ${largest.toPrecision(4)}, ${root.toFixed(6)} a round in the long run. The rate β is that of the worst single round.`;
  }
  const sampled = of === "sampled mean" ? " (sampled here)" : "";
  return `Rounds are drawn anew: these are the eigenvalues of their mean E W${sampled}, which tell what becomes of the average over many runs. The rate β is larger: the root of the largest eigenvalue of E WᵀW beside consensus, what one run shrinks by in mean square.`;
}

/** The largest modulus beside the 1 of consensus, which comes first. */
export function largestModulus({ re, im }: { readonly re: Float64Array; readonly im: Float64Array }): number {
  let largest = 0;
  for (let k = 1; k < re.length; k++) largest = Math.max(largest, Math.hypot(re[k], im[k]));
  return largest;
}
