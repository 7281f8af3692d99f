/**
 * What the view of spectra shows of one topology: eigenvalues, the exact rate, the bounds from above (the paper's) and
 * from below (no circulant of that degree is better); the library computes all of them.
 */

import { predictedRounds } from "equitopo";
import { type Bound, designBound } from "equitopo/design";
import { basisSize, roundSpectrum, type Spectrum, spectrum } from "equitopo/rate";
import type { Chosen } from "../view/topology-field.ts";
import { TOLERANCE } from "./rates.ts";
import { topologyOf } from "./setting.ts";
import { isTrouble, orTrouble } from "./trouble.ts";

export interface SpectrumQuestion {
  readonly graph: Chosen;
  readonly n: number;
  readonly seed: number;
  /** The round whose spectrum is shown; left out, the library chooses the matrix that says most. */
  readonly round?: number | undefined;
}

export type SpectrumAnswer = ReturnType<typeof eigen> extends Generator<undefined, infer A> ? A : never;

const floors = new Map<string, Bound>();

export function* eigen({ graph, n, seed, round }: SpectrumQuestion) {
  const topology = topologyOf(graph, { n, seed });
  const { kind, symmetric, maxDegree: degree, spec } = topology;
  const found = orTrouble((): Spectrum => {
    if (round === undefined) return spectrum(topology);
    return { ...roundSpectrum(topology.round(round)), of: "W", rounds: 1 };
  });
  yield;
  const rate = topology.rate();
  yield;
  const isCirculant = topology.period === 1 && topology.round(0).kind === "circulant";
  const floor = isCirculant ? floorOf(n, degree, symmetric) : undefined;
  yield;
  return {
    /** Undefined where it has no matrix, or too large a one; `unshown` says so. */
    spectrum: isTrouble(found) ? undefined : found,
    unshown: isTrouble(found) ? found.trouble : undefined,
    /** `floor`, of fixed circulants: no other of that degree has a lower rate. */
    ...{ rate, kind, symmetric, degree, spec, floor },
    /** D-EquiStatic: the M that Theorem 1 asks for to promise this rate with probability 1/2. */
    promise: topology.name === "d-equistatic" && rate.rate < 1 ? basisSize(n, rate.rate, 0.5) : undefined,
    /** Rounds until 1e-6 of the disagreement is left. */
    rounds: predictedRounds(topology, TOLERANCE),
  };
}

/** Needed again for every index while a slider is dragged, and the same for all of them. */
function floorOf(n: number, degree: number, symmetric: boolean): Bound | undefined {
  if (symmetric && degree % 2 === 1 && n % 2 === 1) return undefined;
  const asked = { n, degree, directed: !symmetric };
  const key = JSON.stringify(asked);
  const floor = floors.get(key) ?? designBound(asked);
  floors.set(key, floor);
  return floor;
}
