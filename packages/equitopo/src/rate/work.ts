/**
 * An estimate of what a rate will take to compute: operations (as `watched` counts them), seconds on a machine of 2024 with
 * nothing else to do, and memory. The constants were measured at 10^4 to 10^6 nodes; a test compares the operations with
 * those counted: they agree within a factor of 3.
 */

import { mostRounds, searched } from "./prediction.ts";
import { PER_DRAWN_EDGE, PER_LISTED_EDGE, PER_STEP } from "./watch.ts";

export interface RateWork {
  readonly operations: number;
  /** Those of them that make the graph itself. */
  readonly building: number;
  readonly seconds: number;
  /** At the most, in all. */
  readonly bytes: number;
  /** The part of these bytes that lists and objects take, for which engines have a limit of their own. */
  readonly heap: number;
}

/** What a topology is made of, as its family states it: from this its work follows. A plug-in may also state the work itself. */
export type FamilyWork = RateWork | Edges | Shifts | Arrays | ExactRounds;

interface Edges {
  /** Links, both directions counted. */
  readonly edges: number;
  /** Of the iteration for its rate, which goes through them twice; left out where the rate has a closed form. */
  readonly steps?: number;
  /** How everybody's neighbours are kept while it is built: as lists, as lists that were drawn, drawn in one array, or not at all. */
  readonly lists?: "made" | "drawn" | "packed";
  /** About; of a directed W that is not normal, whose rounds to agreement are looked for among its powers. */
  readonly rate?: number;
}

/** A circulant of so many shifts, whose spectrum is summed `times` over for half of all frequencies. */
interface Shifts {
  readonly shifts: number;
  readonly times?: number;
}

/** Arrays of length n: so many operations and bytes for each node. */
interface Arrays {
  readonly operationsPerNode?: number;
  readonly bytesPerNode: number;
}

/** What is exact after a number of rounds and has its rate in closed form. */
interface ExactRounds {
  readonly rounds: number;
  /** Additions of a node in one round, for each vector that it keeps. */
  readonly additions: number;
  readonly vectors?: 1 | 2;
  /** Of the iteration for the norm of all rounds but the last. */
  readonly steps: number;
  /** Edges of a node in a round, where rounds are listed for it. */
  readonly listed?: number;
}

/** Seconds that an operation of lists and of iterations takes; and one of the sums over a circulant's shifts. */
export const PLAIN = 4e-9;
const KERNEL = 0.5e-9;
/** Arrays of numbers: an edge's label and weight; a node's place, own weight and six vectors of the iteration. */
const [EDGE_BYTES, NODE_BYTES] = [12, 60];
/** Bytes of lists for a node and for an edge. */
const listBytes = { made: [100, 8], drawn: [100, 30], packed: [0, 0], none: [0, 0] } as const;
/** Of so many shifts (bases may have 1e7 indices) a transform is quicker than the sums. */
const MANY_SHIFTS = 2048;
/**
 * A random W agrees after about this share of the rounds that its rate promises; and the more rounds a power has, the
 * further apart are the ends of its spectrum.
 */
const SOONER = 0.6;

export function rateWorkOf(n: number, work: FamilyWork): RateWork {
  if ("building" in work) return work;
  if ("edges" in work) return edgesWork(n, work);
  if ("bytesPerNode" in work) return arraysWork(n, work.operationsPerNode ?? 0, work.bytesPerNode);
  if ("rounds" in work) return exactWork(n, work);
  const { shifts, times = 1 } = work;
  if (shifts > MANY_SHIFTS) return arraysWork(n, 250 * times, 170);
  const operations = (times * n * shifts) / 2;
  return { operations, building: 0, seconds: KERNEL * operations, bytes: 16 * shifts + 2e7, heap: 0 };
}

function arraysWork(n: number, perNode: number, bytesPerNode: number, seconds = 2 * PLAIN): RateWork {
  const operations = n * perNode;
  return { operations, building: 0, seconds: seconds * operations, bytes: n * bytesPerNode, heap: 0 };
}

function edgesWork(n: number, { edges, steps = 0, lists, rate }: Edges): RateWork {
  const [perNode, perEdge] = listBytes[lists ?? "none"];
  const drawn = lists === "drawn" || lists === "packed";
  const building = (PER_LISTED_EDGE + (drawn ? PER_DRAWN_EDGE : 0)) * edges;
  const iterations = rate === undefined ? 2 * steps * (edges + (1 + PER_STEP) * n) : powersWork(n, edges, steps, rate);
  const operations = building + iterations;
  const heap = perNode * n + perEdge * edges;
  const bytes = heap + NODE_BYTES * n + EDGE_BYTES * edges;
  return { operations, building, seconds: PLAIN * operations, bytes, heap };
}

function powersWork(n: number, edges: number, steps: number, rate: number): number {
  const once = edges + n;
  const iteration = (m: number) => (2 * steps * (2 * m * once + PER_STEP * n)) / Math.sqrt(m);
  const promised = Math.ceil(Math.log(1e-6) / Math.log(rate));
  let operations = iteration(1);
  searched({ promised, most: mostRounds(once), isExact: false }, (m) => {
    operations += iteration(m);
    return m >= SOONER * promised;
  });
  return operations;
}

/** Whether the mean is exact in the last round and not before is seen from that one norm, where it is not too long. */
function exactWork(n: number, { rounds, additions, vectors = 1, steps, listed = 0 }: ExactRounds): RateWork {
  const isTried = rounds - 1 <= mostRounds(additions * n);
  const iteration = 2 * steps * (2 * vectors * additions * (rounds - 1) + PER_STEP);
  const perNode = isTried ? iteration + PER_LISTED_EDGE * listed * rounds : 0;
  return arraysWork(n, perNode, 60, PLAIN);
}

/** Steps until the iteration has the ends of a random graph's spectrum, which lie n^(-2/3) apart. */
export function randomSteps(n: number): number {
  return 11 * Math.cbrt(n);
}
