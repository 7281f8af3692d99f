/**
 * MATCHA (Wang, Sahu, Yang, Joshi and Kar 2019): the edges of a base graph, divided into matchings M_1, ..., M_k; in each
 * round every matching takes part with its probability p_j, independently, and
 *
 *   W(t) = I - alpha sum over the M_j that take part of L_j,   L_j the Laplacian of M_j.
 *
 * The budget C is the expected number of matchings in a round; p and alpha are the best for it (matcha-weights.ts).
 * Undirected, random, degree up to the base graph's. In a round without matchings nothing happens.
 *
 * The best alpha may be above 1/degree: a node all of whose edges take part then has a negative own weight. Sums are
 * still 1, and the mean square is as stated; `nonnegative` holds alpha at 1/degree.
 *
 * n at most 2048. Matchings are found from the whole graph, so every node keeps a list of all edges.
 */

import { InputError, integer } from "../input/input.ts";
import { about, flag, positive, seed } from "../input/option.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { colourEdges, type Pair } from "./edge-colouring.ts";
import { sparseRound } from "./graph.ts";
import { innerOption, innerSpec } from "./inner-spec.ts";
import { matchaWeights } from "./matcha-weights.ts";
import type { SubsetRule } from "./plan/rule.ts";
import {
  byLabelDifference,
  checkOptions,
  defineTopology,
  type Neighbour,
  type Topology,
  type TopologySpec,
  topologyOf,
} from "./topology.ts";

export interface MatchaOptions {
  /** The base graph, static and undirected; its weights are not used. */
  readonly graph: Topology;
  /** Expected matchings in a round, at most as many as there are; 1 by default. */
  readonly budget?: number;
  readonly seed?: number;
  /** Hold alpha at 1/degree, so that no weight is negative. */
  readonly nonnegative?: boolean;
}

const MOST_NODES = 2048;

/**
 * @example
 * ```ts
 * import { torus } from "equitopo";
 * import { matcha } from "equitopo/topology";
 * const graph = matcha({ graph: torus({ n: 25 }), budget: 2 });
 * graph.rate().rate.toFixed(4) // => "0.8388"
 * ```
 */
export function matcha(options: MatchaOptions): Topology {
  const { graph, budget = 1, seed: from = 0, nonnegative = false } = options;
  const { n } = graph;
  checkBase(graph);
  // Every node's neighbours in the order of additions, and every edge once.
  const lists = Array.from({ length: n }, (_, i) => graph.peers(0, i).from.map(({ node }) => node));
  const edges = lists.flatMap((list, i) => list.filter((j) => i < j).map((j): Pair => [i, j]));
  const colours = colourEdges(n, edges);
  // At alpha = 2 a single pair changes twice its places: no alpha beyond it is of use.
  const limit = nonnegative ? 1 / graph.maxDegree : 2;
  const { probabilities, alpha, square, error } = matchaWeights(n, edges, colours, budget, limit);
  const matchings = Array.from(probabilities, (_, colour) => edges.filter((_e, e) => colours[e] === colour).flat());
  const { name, n: _, ...rest } = graph.spec;
  const base = Object.keys(rest).length === 0 ? name : { name, ...rest };
  const spec = { name: "matcha", n, graph: base, budget, seed: from, ...(nonnegative ? { nonnegative } : {}) };
  const rule = { alpha, probabilities: [...probabilities], matchings, seed: from };
  return drawnMatchings(spec, rule, () => ({ square, error }));
}

/** The same with matchings, probabilities and alpha as they are; `found` is the mean square, up to an error. */
export function drawnMatchings(
  spec: TopologySpec,
  rule: Omit<SubsetRule, "name">,
  found: () => { readonly square: number; readonly error: number },
): Topology {
  const { n } = spec;
  const { alpha, probabilities, matchings, seed: from } = rule;
  const linksOf: (Neighbour & { readonly colour: number })[][] = Array.from({ length: n }, () => []);
  matchings.forEach((ends, colour) => {
    for (let k = 0; k < ends.length; k += 2) {
      linksOf[ends[k]].push({ node: ends[k + 1], colour, weight: alpha });
      linksOf[ends[k + 1]].push({ node: ends[k], colour, weight: alpha });
    }
  });
  for (const [i, links] of linksOf.entries()) links.sort(byLabelDifference(n, i));
  const maxDegree = linksOf.reduce((most, { length }) => Math.max(most, length), 0);
  const random = new RandomStream(from, streams.matchings);
  const activeAt = (t: number) => {
    const draw = random.at(t);
    return probabilities.map((p) => (draw.uniform() < p ? 1 : 0));
  };
  return topologyOf({
    kind: "random",
    symmetric: true,
    maxDegree,
    ...(alpha * maxDegree > 1 ? { signed: true as const } : {}),
    spec,
    rule: () => ({ name: "subset", ...rule }),
    round(t) {
      const active = activeAt(t);
      const heard = linksOf.map((links) => links.filter(({ colour }) => active[colour] === 1));
      const self = Float64Array.from(heard, ({ length }) => 1 - alpha * length);
      return sparseRound(n, (i) => heard[i], self);
    },
    peers(t, i) {
      const active = activeAt(t);
      const links = linksOf[i].filter(({ colour }) => active[colour] === 1);
      return { self: 1 - alpha * links.length, from: links, to: links };
    },
    rate: () => {
      const { square, error } = found();
      const rate = Math.sqrt(square);
      return { rate, bound: null, method: "certified iteration", error: rate > 0 ? error / rate : Math.sqrt(error) };
    },
  });
}

function checkBase({ name, n, kind, symmetric }: Topology): void {
  if (kind !== "static" || !symmetric) {
    throw new InputError("the graph of matcha must be static and undirected", name, "try torus or random-regular");
  }
  if (n > MOST_NODES) throw new InputError(`matcha takes at most ${MOST_NODES} nodes`, n, `try n = ${MOST_NODES}`);
}

const graphOption = innerOption(
  "torus",
  "the name of an undirected static topology, or its spec",
  "base graph of matcha",
);

/** The member of the registry; `build` makes the base graph from its spec. */
export function matchaFamily(build: (spec: TopologySpec) => Topology) {
  const family = defineTopology({
    name: "matcha",
    summary: "undirected, random: matchings of a base graph, each with a probability of its own",
    source: "Wang, Sahu, Yang, Joshi and Kar 2019",
    group: "rival",
    random: true,
    options: {
      graph: graphOption,
      budget: about(positive(1), "expected matchings of matcha in a round, default 1", "C"),
      seed,
      nonnegative: about(flag(), "hold matcha's weights at 0 or above"),
    },
    refuses: (n) => (n > MOST_NODES ? `takes at most ${MOST_NODES} nodes` : undefined),
    create(options): Topology {
      const { n, graph, ...others } = checkOptions(family, options);
      integer("n", n, 2, MOST_NODES);
      const topology = matcha({ ...others, graph: build(innerSpec(graph, n)) });
      // As it was asked for: a name says as much as all that the base graph makes of it.
      return { ...topology, spec: { ...topology.spec, graph } };
    },
  });
  return family;
}
