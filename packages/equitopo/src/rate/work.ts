/**
 * What a rate takes, told before it is computed: operations (as `watched` counts them), seconds on a machine of 2024 with
 * nothing else to do, and memory. The constants were measured at 10^4 to 10^6 nodes; the operations are held to what is
 * counted by a test, within a factor of 3.
 */

export interface RateWork {
  readonly operations: number;
  /** Those of them that make the graph itself. */
  readonly building: number;
  readonly seconds: number;
  /** At the most, in all. */
  readonly bytes: number;
  /** The part of it that lists and objects take, for which engines have a limit of their own. */
  readonly heap: number;
}

/** Operations that are as long as keeping one edge of a list. */
export const PER_LISTED_EDGE = 150;
/** The same of drawing one. */
export const PER_DRAWN_EDGE = 50;
/** Vector operations on every node in a step of the iteration, beside those of the product. */
export const PER_STEP = 10;
/** Seconds that an operation of lists and of iterations takes; and one of the sums over a circulant's shifts. */
export const PLAIN = 4e-9;
const KERNEL = 0.5e-9;
/** Arrays of numbers: an edge's label and weight; a node's place, own weight and six vectors of the iteration. */
const [EDGE_BYTES, NODE_BYTES] = [12, 60];

export interface ListedGraph {
  readonly n: number;
  /** Links, both directions counted. */
  readonly edges: number;
  /** Of the iteration for its rate; 0 where that has a closed form. */
  readonly steps: number;
  /** How everybody's neighbours are kept while it is built: as lists, as lists of lists that were drawn, or not at all. */
  readonly lists: "made" | "drawn" | "none";
  /** Without lists, and yet drawn. */
  readonly drawn?: true;
}

/** Bytes of lists for a node and for an edge. */
const listBytes = { made: [100, 8], drawn: [100, 30], none: [0, 0] } as const;

/** Of a graph that is kept edge by edge. The iteration goes through its steps twice. */
export function listedWork({ n, edges, steps, lists, drawn }: ListedGraph): RateWork {
  const [perNode, perEdge] = listBytes[lists];
  const building = (PER_LISTED_EDGE + (lists === "drawn" || drawn ? PER_DRAWN_EDGE : 0)) * edges;
  const operations = building + 2 * steps * (edges + (1 + PER_STEP) * n);
  const heap = perNode * n + perEdge * edges;
  const bytes = heap + NODE_BYTES * n + EDGE_BYTES * edges;
  return { operations, building, seconds: PLAIN * operations, bytes, heap };
}

/** Of the spectrum of m shifts, summed for half of all k, `times` over. */
function circulantWork(n: number, m: number, times = 1): RateWork {
  const operations = (times * n * m) / 2;
  return { operations, building: 0, seconds: KERNEL * operations, bytes: 16 * m + 2e7, heap: 0 };
}

/** Of work on arrays of length n: so many operations and bytes for each node. */
export function arrayWork(n: number, operations: number, bytes: number): RateWork {
  return { operations: n * operations, building: 0, seconds: 2 * PLAIN * n * operations, bytes: n * bytes, heap: 0 };
}

/** Beside bases of up to 1e7 indices, which take longer to sum than to transform. */
const MANY_SHIFTS = 2048;

/** Of a circulant by the number of its shifts, of whatever size. */
export function shiftsWork(n: number, m: number, times = 1): RateWork {
  return m > MANY_SHIFTS ? arrayWork(n, 250 * times, 170) : circulantWork(n, m, times);
}

/** Steps until the iteration has the ends of a random graph's spectrum, which lie n^(-2/3) apart. */
export function randomSteps(n: number): number {
  return 11 * Math.cbrt(n);
}
