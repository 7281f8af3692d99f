/**
 * Gossip over a network that fails, sampled: after how many rounds the spread around the present mean is below a
 * tolerance, and how far that mean has moved, as medians over a few seeded runs.
 */

import type { Faults } from "../faults/network.ts";
import { InputError } from "../input/input.ts";
import { norm } from "../number/vectors.ts";
import { meanRow } from "../round/distance.ts";
import { gossip } from "../run/gossip.ts";
import type { Topology } from "../topology/topology.ts";

export interface SampleOptions {
  readonly tolerance: number;
  /** Dropped messages, absent nodes, stale messages. */
  readonly faults?: Pick<Faults, "drop" | "absent" | "stale">;
  /** Of the starts and of the faults: run k has seed + k. */
  readonly seed?: number;
  /** Default 5. */
  readonly runs?: number;
}

export interface Sample {
  /** The median; Infinity where most runs do not get there in about a second's work. */
  readonly rounds: number;
  /** How far the mean moved, as a fraction of the nodes' root mean square distance from it at the start; the median. */
  readonly shift: number;
}

/** Columns of a run: they never mix, and so many are a typical start. */
const COLUMNS = 4;
/** Numbers that all runs of one topology may mix. */
const WORK = 2e7;

/**
 * @example
 * ```ts
 * import { ouEquiDyn } from "equitopo";
 * import { sampleGossip } from "equitopo/advise";
 * const graph = ouEquiDyn({ n: 32, construction: "euclid" });
 * const { rounds, shift } = sampleGossip(graph, { tolerance: 1e-3, faults: { drop: 0.1 } });
 * rounds > 5 && rounds < 40 && shift < 1e-12 // => true
 * ```
 */
export function sampleGossip(topology: Topology, options: SampleOptions): Sample {
  const { tolerance, faults = {}, seed = 0, runs = 5 } = options;
  const most = Math.max(64, Math.floor(WORK / (runs * COLUMNS * topology.n * (1 + topology.maxDegree))));
  const found: Sample[] = [];
  for (let run = 0; run < runs; run++) {
    found.push(oneRun(topology, tolerance, faults, seed + run, most));
    // What most runs do not reach, the median does not.
    if (found.filter(({ rounds }) => rounds === Number.POSITIVE_INFINITY).length > runs / 2) break;
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return { rounds: median(found.map(({ rounds }) => rounds)), shift: median(found.map(({ shift }) => shift)) };
}

function oneRun(topology: Topology, tolerance: number, faults: Faults, seed: number, rounds: number): Sample {
  const options = { ...faults, d: COLUMNS, seed, around: "now" } as const;
  const { n } = topology;
  const { errors, recorded, x } = tolerant(() => gossip(topology, { ...options, rounds, until: tolerance }));
  const start = meanRow(gossip(topology, { ...options, rounds: 0 }).x, n);
  const moved = norm(meanRow(x, n).map((value, k) => value - start[k]));
  const there = errors[errors.length - 1] <= tolerance * errors[0];
  return {
    rounds: there ? recorded[recorded.length - 1] : Number.POSITIVE_INFINITY,
    shift: (moved * Math.sqrt(n)) / errors[0],
  };
}

/** A complete graph is not written out edge by edge above some n: nothing can be sampled of it. */
function tolerant<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof InputError
      ? new InputError("too large to be run with faults", error.value, error.remedy)
      : error;
  }
}
