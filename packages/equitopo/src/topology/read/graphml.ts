/**
 * GraphML as networkx, igraph, Gephi and `equitopo graph` write it. An edge source -> target carries w_target,source under the
 * name "weight"; an undirected one carries it both ways. What an edge or a node leaves out its key's <default> says. A
 * node's own weight is its "selfWeight" and the weight of an edge from it to itself; where it has neither, what its row
 * lacks to 1. A graph without any weight is undirected. Nodes named 0 .. n - 1
 * keep their numbers, others are numbered in the order of the file.
 */

import { InputError } from "../../input/input.ts";
import type { Edge } from "../../round/round.ts";
import type { GraphData } from "./graph-data.ts";
import { readXml } from "./xml.ts";

interface FileEdge {
  readonly source: string;
  readonly target: string;
  readonly directed: boolean;
  weight: number | undefined;
}

interface Parsed {
  /** Names in the order of the file, with the own weights that it states. */
  readonly nodes: Map<string, number | undefined>;
  readonly edges: FileEdge[];
}

export function readGraphml(text: string): GraphData {
  const { nodes, edges } = parse(text);
  const label = labels([...nodes.keys()]);
  const at = (name: string) => {
    const found = label.get(name);
    if (found !== undefined) return found;
    throw new InputError("an edge of a GraphML file must join two of its nodes", name, "add a <node> of that id");
  };
  const n = nodes.size;
  if (edges.every(({ weight }) => weight === undefined)) return unweighted(n, edges, at);
  // Own weights as stated, and what the edges leave of 1 where none is.
  const stated = new Map<number, number>();
  const state = (i: number, weight: number) => stated.set(i, (stated.get(i) ?? 0) + weight);
  for (const [name, weight] of nodes) if (weight !== undefined) state(at(name), weight);
  const all: Edge[] = [];
  const received = new Float64Array(n);
  for (const { source, target, directed, weight } of edges) {
    const [from, to] = [at(source), at(target)];
    if (weight === undefined) {
      const remedy = "give it one, or leave all out";
      throw new InputError("where one edge has a weight, all must", `${source} to ${target}`, remedy);
    }
    if (from === to) {
      state(to, weight);
      continue;
    }
    all.push([from, to, weight]);
    received[to] += weight;
    if (directed) continue;
    all.push([to, from, weight]);
    received[from] += weight;
  }
  // Sums of rows and columns are checked by customGraph; what is left may come out as -1e-17.
  return { n, self: Array.from(received, (sum, i) => stated.get(i) ?? Math.max(0, 1 - sum)), edges: all };
}

function unweighted(n: number, edges: readonly FileEdge[], at: (name: string) => number): GraphData {
  const directed = edges.find((edge) => edge.directed);
  if (directed !== undefined) {
    const remedy = 'give each edge a "weight"; there is no rule for directed ones';
    const value = `${directed.source} to ${directed.target}, directed`;
    throw new InputError("edges without weights must be undirected", value, remedy);
  }
  const loop = edges.find(({ source, target }) => source === target);
  if (loop !== undefined) {
    throw new InputError("an edge without a weight must join two nodes", loop.source, "leave it out");
  }
  return { n, edges: edges.map(({ source, target }): [number, number] => [at(source), at(target)]) };
}

function labels(names: readonly string[]): Map<string, number> {
  const numbered = names.every((name) => /^(0|[1-9]\d*)$/.test(name) && Number(name) < names.length);
  return new Map(names.map((name, k) => [name, numbered ? Number(name) : k]));
}

function parse(text: string): Parsed {
  const keys = new Map<string, string>();
  /** What edges and nodes without a number of their own have, by the keys' <default>. */
  let [edgeDefault, nodeDefault] = [undefined as number | undefined, undefined as number | undefined];
  let key: readonly [name: string, of: string] = ["", ""];
  const nodes = new Map<string, number | undefined>();
  const edges: FileEdge[] = [];
  let [undirected, graphs] = [false, 0];
  /** What a <data> belongs to, and its name. */
  let holder: "node" | "edge" | undefined;
  let [node, data, value] = ["", undefined as string | undefined, ""];
  for (const event of readXml(text)) {
    if (event.kind === "text") {
      if (data !== undefined) value += event.text;
    } else if (event.kind === "open") {
      const { name, attributes } = event;
      const given = (key: string) => required(attributes.get(key), `<${name}> must have ${key}="..."`);
      if (name === "key") {
        key = [attributes.get("attr.name") ?? "", attributes.get("for") ?? "all"];
        keys.set(given("id"), key[0]);
      } else if (name === "default") [data, value] = [key[0], ""];
      else if (name === "graph") {
        undirected = given("edgedefault") === "undirected";
        graphs += 1;
      } else if (name === "node") {
        holder = "node";
        node = given("id");
        if (nodes.has(node)) throw new InputError("the ids of nodes must differ", node, "give each one its own");
        nodes.set(node, undefined);
      } else if (name === "edge") {
        holder = "edge";
        const directed = (attributes.get("directed") ?? String(!undirected)) === "true";
        edges.push({ source: given("source"), target: given("target"), directed, weight: undefined });
      } else if (name === "data") [data, value] = [keys.get(given("key")), ""];
      else if (name === "hyperedge") throw new InputError("an edge must join two nodes", "<hyperedge>", "split it");
    } else if (event.name === "data") {
      if (holder === "edge" && data === "weight") edges[edges.length - 1].weight = number(value);
      if (holder === "node" && data === "selfWeight") nodes.set(node, number(value));
      data = undefined;
    } else if (event.name === "default") {
      const [name, of] = key;
      const stated = value.trim() !== "";
      if (stated && name === "weight" && /^(edge|all)$/.test(of)) edgeDefault = number(value);
      if (stated && name === "selfWeight" && /^(node|all)$/.test(of)) nodeDefault = number(value);
      data = undefined;
    } else if (event.name === "node" || event.name === "edge") holder = undefined;
  }
  if (graphs !== 1) throw new InputError("a GraphML file must hold one graph", graphs, "write one graph to a file");
  for (const edge of edges) edge.weight ??= edgeDefault;
  for (const [name, weight] of nodes) nodes.set(name, weight ?? nodeDefault);
  return { nodes, edges };
}

function required(value: string | undefined, rule: string): string {
  if (value !== undefined) return value;
  throw new InputError(rule, "nothing", "write the file as networkx.write_graphml does");
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  const rule = "weights of a GraphML file must be nonnegative numbers";
  throw new InputError(rule, text.trim(), "gossip weights are shares");
}
