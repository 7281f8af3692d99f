/** What a file says of a graph, as plain JSON: the same whatever its format. A graph is made of it in ../file.ts. */

import { InputError, nodes, onlyKeys } from "../../input/input.ts";
import type { Edge } from "../../round/round.ts";
import { checkedPlan, claimsPlan, type Plan } from "../plan/plan.ts";

export interface GraphData {
  readonly n: number;
  /** [from, to, w_to,from] where there are weights; else undirected pairs. Several between the same two nodes add up. */
  readonly edges: readonly (Edge | readonly [number, number])[];
  /** w_ii; left out where the file has no weights. */
  readonly self?: readonly number[];
  /** Sums of rows and columns may miss 1 by this much. */
  readonly tolerance?: number;
  /** What to know about how the file was read. */
  readonly note?: string;
}

/** What a file of a graph holds: a graph, or the plan of one that changes from round to round. */
export type GraphFile = GraphData | Plan;

/** A value from outside that claims to be a graph or a plan. */
export const checkedGraphFile = (value: unknown): GraphFile =>
  claimsPlan(value) ? checkedPlan(value) : checkedGraph(value);

/** A value from outside that claims to be a graph; sums and signs of weights are checked where the graph is made of it. */
export function checkedGraph(value: unknown): GraphData {
  const graph = (value ?? {}) as GraphData;
  const { n, edges, self } = graph;
  if (typeof value !== "object" || !Array.isArray(edges)) {
    throw new InputError("a graph must be { n, edges, self }", value, "take what readGraph gives");
  }
  onlyKeys("a graph", graph, ["n", "edges", "self", "tolerance", "note"]);
  nodes(n);
  const width = self === undefined ? 2 : 3;
  const form = width === 2 ? "[i, j], as there is no self" : "[from, to, weight]";
  edges.forEach((edge, k) => {
    if (Array.isArray(edge) && edge.length === width && edge.every((part) => typeof part === "number")) return;
    throw new InputError(`edge ${k} must be ${form}`, edge, `give ${width === 2 ? "two" : "three"} numbers`);
  });
  return graph;
}

/** The graph of a dense matrix, row by row. */
export function fromMatrix(n: number, values: ArrayLike<number>): GraphData {
  const self = new Array<number>(n).fill(0);
  const edges: Edge[] = [];
  for (let k = 0; k < n * n; k++) {
    const [to, from] = [Math.floor(k / n), k % n];
    if (from === to) self[to] = values[k];
    else if (values[k] !== 0) edges.push([from, to, values[k]]);
  }
  return { n, self, edges };
}

/**
 * A matrix of zeros and ones as a program writes it that means edges: symmetric, nothing on the diagonal. As pairs, with a
 * note; undefined for all others. A matrix in which every node has one edge is a matrix of weights, too, and stays one. O(edges).
 */
export function asPairs({ n, edges, self }: GraphData): GraphData | undefined {
  if (self === undefined || edges.length === 0) return undefined;
  const degree = new Int32Array(n);
  for (const [from, to, weight] of edges) {
    if (weight !== 1 || from === to) return undefined;
    degree[to] += 1;
  }
  // A reader may have given a node without edges all its own weight.
  if (self.some((weight, i) => weight !== 0 && degree[i] > 0)) return undefined;
  if (degree.every((d) => d === 1)) return undefined;
  const keys = new Set(edges.map(([from, to]) => from * n + to));
  if (keys.size < edges.length || edges.some(([from, to]) => !keys.has(to * n + from))) return undefined;
  const pairs = edges.filter(([from, to]) => from < to).map(([from, to]): [number, number] => [from, to]);
  return { n, edges: pairs, note: "all its weights are 1, so they are taken as edges without weights" };
}
