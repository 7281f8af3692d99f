/**
 * A graph from a file: what was read (read/read-graph.ts) as a topology. Its weights are those of the file; or, where it has
 * none, or `weights` asks for it, those of an undirected graph on its edges (weights.ts). As a member of the registry it is
 *
 *   { name: "file", path: "mine.graphml" },
 *
 * and whoever may read files puts the graph itself beside the path (run/graphs.ts), so that the spec is all that threads,
 * peers and browsers need. It is found by its name, but is no family: nothing chooses it by n.
 */

import { defined, InputError, inside, integer } from "../input/input.ts";
import { about, type Option, optional, unwritten } from "../input/option.ts";
import type { Edge } from "../round/round.ts";
import { customGraph } from "./custom.ts";
import { graphTopology } from "./graph.ts";
import { drawnTopology } from "./plan/drawn.ts";
import { claimsPlan } from "./plan/plan.ts";
import { checkedGraphFile, type GraphData, type GraphFile } from "./read/graph-data.ts";
import { defineTopology, noted, type Topology, type TopologySpec } from "./topology.ts";
import { undirectedOptions } from "./weights.ts";

/** A graph from a file in a spec; n is that of the graph. */
export interface FileSpec {
  readonly name: "file";
  /** The file, counted from the spec's folder. */
  readonly path?: string;
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256?: string;
  readonly graph?: GraphFile;
  readonly weights?: "metropolis" | "best-constant";
  readonly n?: number;
  readonly relabel?: boolean;
  readonly seed?: number;
}

/** The topology of a graph or plan that was read, under the spec's name; `weights` in the spec takes its edges only. O(edges). */
export function graphOf(graph: GraphFile, spec: TopologySpec): Topology {
  if (claimsPlan(graph)) {
    if (spec["weights"] === undefined) return drawnTopology(graph, spec);
    throw new InputError("a plan has its weights", spec["weights"], "leave out weights");
  }
  const { n, self, tolerance } = graph;
  const { weights = "metropolis" } = spec;
  if (self === undefined || spec["weights"] !== undefined) {
    const { lists, edges, oneWay } = undirected(graph);
    const unused = `${weights} weights on its ${edges} edges, those of the file are not used`;
    const both = oneWay === 0 ? "" : `; ${oneWay} of them go one way there, and both ways here`;
    const read = graph.note === undefined ? undefined : `${graph.note}, with ${weights} weights`;
    return noted(
      graphTopology(spec, (i) => lists[i]),
      self === undefined ? read : unused + both,
    );
  }
  const own = { name: spec.name, n, self, edges: graph.edges as readonly Edge[] };
  return { ...customGraph(tolerance === undefined ? own : { ...own, tolerance }), spec };
}

/** What a topology is called where nothing else is said: a file by its name, all others by theirs. */
export function shortName({ name, path }: TopologySpec): string {
  return name === "file" && typeof path === "string" ? path.slice(path.search(/[^/\\]*$/)) : name;
}

/** What of a spec is for people to read: a graph itself is not. */
export function readable(spec: TopologySpec): TopologySpec {
  if (spec.name !== "file") return spec;
  const { graph: _, ...rest } = spec;
  return rest;
}

/** The neighbours of all nodes, each once, how many edges there are, and how many the graph has in one direction only. */
function undirected({ n, edges }: GraphData) {
  const sets = Array.from({ length: n }, () => new Set<number>());
  let [oneWay, weighted] = [0, false];
  const keys = new Set<number>();
  for (const [from, to, weight] of edges) {
    integer("the from of an edge", from, 0, n - 1);
    integer("the to of an edge", to, 0, n - 1);
    if (weight !== undefined) weighted = true;
    // An own weight is no edge; nor is a weight of nothing.
    if (weight === 0 || (weight !== undefined && from === to)) continue;
    if (from === to) throw new InputError("an edge without a weight must join two nodes", from, "leave it out");
    sets[from].add(to);
    sets[to].add(from);
    keys.add(from * n + to);
  }
  if (weighted) for (const key of keys) if (!keys.has((key % n) * n + Math.floor(key / n))) oneWay += 1;
  const lists = sets.map((set) => [...set]);
  return { lists, edges: lists.reduce((sum, list) => sum + list.length, 0) / 2, oneWay };
}

const text = (range: string): Option<string | undefined> => ({
  default: undefined,
  range,
  check(name, value) {
    if (typeof value === "string" && value !== "") return value;
    throw new InputError(`${name} must be ${range}`, value, "put it in quotes");
  },
});

const graphOption: Option<GraphFile | undefined> = {
  default: undefined,
  range: "what readGraph gives: { n, edges, self } or a plan",
  check: (name, value) => inside(name, () => checkedGraphFile(value)),
};

function requireRead(graph: GraphFile | undefined, path: unknown): GraphFile {
  if (graph !== undefined) return graph;
  const remedy = "name it in a spec that the command line reads, or put graph: readGraph(bytes) beside it";
  throw new InputError("the graph of a file must be read before it is made", path, remedy);
}

export const fileFamily = defineTopology({
  name: "file",
  summary: "your own graph from a file: GraphML, csv, npy or JSON, or a plan",
  source: "your own",
  options: {
    path: text("a file's name"),
    sha256: text("the SHA-256 of the file, in hexadecimal digits"),
    graph: about(graphOption, "the graph itself, once the file was read"),
    weights: optional(unwritten(undirectedOptions.weights)),
  },
  nodesOf: ({ graph, path }) => requireRead(graph as GraphFile | undefined, path).n,
  note({ path, graph, weights }) {
    const found = graph && graphOf(graph, { name: "file", n: graph.n, ...defined({ weights }) }).note;
    return found === undefined || path === undefined ? found : `${path}: ${found}`;
  },
  create({ n, ...options }) {
    const graph = requireRead(options.graph, options.path);
    if (n !== graph.n) throw new InputError(`n must be the ${graph.n} nodes of the file`, n, "leave it out");
    return graphOf(graph, { name: "file", n, ...options });
  },
});
