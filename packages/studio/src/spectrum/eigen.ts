/**
 * What the view of spectra is told of one topology: eigenvalues, the exact rate, the bounds from above (the paper's) and
 * from below (no circulant of that degree is better), all of them the library's.
 */

import { predictedRounds, type Rate, type Topology } from "equitopo";
import { type Bound, designBound } from "equitopo/design";
import { basisSize, roundSpectrum, type Spectrum, spectrum } from "equitopo/rate";
import { topologyOf } from "../setting-run.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, orTrouble } from "../trouble.ts";

export interface SpectrumQuestion {
  readonly graph: Chosen;
  readonly n: number;
  readonly seed: number;
  /** Of one round in place of what tells most. */
  readonly round?: number;
}

export interface SpectrumAnswer {
  /** Undefined where it has no matrix, or too large a one; `unshown` says so. */
  readonly spectrum: Spectrum | undefined;
  readonly unshown: string | undefined;
  readonly rate: Rate;
  readonly kind: Topology["kind"];
  readonly symmetric: boolean;
  readonly degree: number;
  /** As it is built, with what was drawn written out. */
  readonly spec: Topology["spec"];
  /** Fixed circulants: no other of that degree has a lower rate. */
  readonly floor: Bound | undefined;
  /** D-EquiStatic: the M that Theorem 1 asks for to promise this rate with probability 1/2. */
  readonly promise: number | undefined;
  /** Rounds until 1e-6 of the disagreement is left. */
  readonly rounds: number;
}

/** What counts as agreed, here as everywhere. */
export const TOLERANCE = 1e-6;

const floors = new Map<string, Bound>();

export function* eigen({ graph, n, seed, round }: SpectrumQuestion): Generator<undefined, SpectrumAnswer> {
  const topology = topologyOf(graph, { n, seed });
  const { kind, symmetric, maxDegree: degree, spec } = topology;
  const found = orTrouble((): Spectrum => {
    if (round === undefined) return spectrum(topology);
    return { ...roundSpectrum(topology.round(round)), of: "W", rounds: 1 };
  });
  yield;
  const rate = topology.rate();
  yield;
  const floor =
    topology.period === 1 && topology.round(0).kind === "circulant" ? floorOf(n, degree, symmetric) : undefined;
  yield;
  return {
    spectrum: isTrouble(found) ? undefined : found,
    unshown: isTrouble(found) ? found.trouble : undefined,
    rate,
    kind,
    symmetric,
    degree,
    spec,
    floor,
    promise: topology.name === "d-equistatic" && rate.rate < 1 ? basisSize(n, rate.rate, 0.5) : undefined,
    rounds: predictedRounds(topology, TOLERANCE),
  };
}

/** Asked again with every index that is dragged, and the same for all of them. */
function floorOf(n: number, degree: number, symmetric: boolean): Bound | undefined {
  if (symmetric && degree % 2 === 1 && n % 2 === 1) return undefined;
  const asked = { n, degree, directed: !symmetric };
  const key = JSON.stringify(asked);
  const floor = floors.get(key) ?? designBound(asked);
  floors.set(key, floor);
  return floor;
}
