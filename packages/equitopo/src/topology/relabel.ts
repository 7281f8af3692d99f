/**
 * Relabelling: the labels of a static or periodic graph are drawn anew at the start of every m rounds, m = the rounds to
 * exactness where that is finite, else the period. Every block of m rounds is still exact where the graph is, and what
 * is left of a disagreement no longer depends on which nodes disagree. Any graph, any n; degree and bytes stay, a node's
 * peers cost one walk through a keyed permutation more; the price is links that change for ever.
 *
 * A relabelled graph is `random`. Its rates are mean squares over the labels, exact: a doubly stochastic W (a round, or
 * the product of a whole block) under uniform labels o has, for every x of sum 0,
 *
 *   E W_o x = (tr W - 1)/(n - 1) x,   E |W_o x|^2 = (||W||_F^2 - 1)/(n - 1) |x|^2.
 *
 * `rate` is that of the worst round of a block, `periodNorm` that of a block as a whole. Rounds of one block share their
 * labels, so only whole blocks multiply.
 */

import { defined, InputError, integer } from "../input/input.ts";
import { about, flag } from "../input/option.ts";
import { streams } from "../random/stream.ts";
import { labelMoments, productSquare } from "../rate/labels.ts";
import type { Rate } from "../rate/rate.ts";
import { freshLabels } from "./fresh-labels.ts";
import { sharedRound } from "./pairs.ts";
import { ruleOf } from "./plan/rule-of.ts";
import { guarded, type Topology, type TopologySpec } from "./topology.ts";

export const relabel = about(flag(), "draw the labels of a static or periodic topology anew every period");

/**
 * The topology under labels drawn from the seed.
 *
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * import { relabelled } from "equitopo/topology";
 * const graph = relabelled(onePeerExp({ n: 16 }), 1);
 * graph.kind // => "random"
 * graph.rate().periodNorm // => 0
 * graph.rate().rate.toFixed(4) // => "0.6831"
 * ```
 */
export function relabelled(topology: Topology, seed = 0): Topology {
  const { name, kind, period, exactAfter } = topology;
  integer("seed", seed, 0);
  if (kind === "random" || period === undefined) return refuseRelabel(name);
  const block = exactAfter ?? period;
  // Where a block is no whole number of periods, each begins with round 0 all the same.
  const inner = block % period === 0 ? topology : restarted(topology, block);
  return labelledEvery(block, inner, seed, streams.relabel, { ...topology.spec, relabel: true, seed });
}

/** Rounds whose labels are drawn at the start of every `block` of them, from the seed's stream of that number. */
export function labelledEvery(
  block: number,
  inner: Topology,
  seed: number,
  stream: number,
  spec: TopologySpec,
): Topology {
  const { directed, symmetric, maxDegree, exactAfter, stochastic } = inner;
  const rounds = freshLabels(inner, block, seed, stream);
  return guarded({
    name: spec.name,
    kind: "random",
    ...{ directed, symmetric, maxDegree },
    period: undefined,
    ...{ block, labelled: inner },
    ...defined({ exactAfter, stochastic, pair: inner.pair }),
    ...(block === 1 && inner.pair === undefined ? { moments: labelMoments(inner.round(0)) } : {}),
    spec,
    rule: (most) => ({ name: "labels", of: ruleOf(inner, most), block, seed, stream }),
    ...rounds,
    rate: () => rateOf(inner, block),
  });
}

/** Random rounds have nothing to gain from other labels. */
export function refuseRelabel(name: string): never {
  const rule = "relabel is an option of static and periodic topologies";
  throw new InputError(rule, name, "leave it out: its rounds are drawn anew already");
}

/** Rounds that begin with round 0 again every `block` rounds. */
function restarted(topology: Topology, block: number): Topology {
  const { round, peers, pair, rule: _, ...rest } = topology;
  const restartedPair = pair && { pair: (t: number) => pair(t % block) };
  const rounds = { round: (t: number) => round(t % block), peers: (t: number, i: number) => peers(t % block, i) };
  return { ...rest, period: block, ...rounds, ...restartedPair };
}

/** The worst round of a block, and a block as a whole, in mean square over the labels. */
function rateOf(topology: Topology, block: number): Rate {
  const rounds = Array.from({ length: block }, (_, t) => sharedRound(topology, t));
  const rate = Math.sqrt(Math.max(...rounds.map((round) => labelMoments(round).square)));
  const square = topology.exactAfter === undefined ? productSquare(rounds) : 0;
  if (square === undefined) return { rate, bound: null, method: "closed form" };
  const periodNorm = Math.sqrt(square);
  return { rate, bound: null, method: "closed form", periodNorm, periodRate: periodNorm ** (1 / block) };
}
