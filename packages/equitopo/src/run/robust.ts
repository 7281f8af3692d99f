/**
 * The key `robust` of a spec: the defence with which all nodes of a run mix, or none. Both ends of an exchange know its
 * radius from the spec, and peers with different specs refuse each other.
 *
 * A defence does not go with every algorithm. It changes W from row to row, so the sum of the trackers is no longer that of
 * the gradients, the sums behind corrections and push-sum weights are not kept, and a compressed difference is not a model
 * that could be compared with one's own. An exact mean hears all nodes at once. All these are refused before the first round.
 */

import type { Optimiser } from "../algorithm/registry.ts";
import { honestRows, type Liars } from "../faults/liars.ts";
import { InputError } from "../input/input.ts";
import type { Defence, DefenceSpec } from "../robust/defence.ts";
import { hearRound } from "../robust/hear.ts";
import { createDefence } from "../robust/registry.ts";
import type { Round, Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { requireFeatures } from "./features/driver.ts";
import { featuresIn } from "./features/feature.ts";

/**
 * The defence that a spec describes, for this algorithm over this topology; throws if it would have no effect.
 *
 * @example
 * ```ts
 * import { createAlgorithm, ring } from "equitopo";
 * import { robustFor } from "equitopo/run";
 * const defence = robustFor({ kind: "guard", radius: 3 }, createAlgorithm({ name: "dsgd" }), ring({ n: 5 }));
 * defence.reach // => 3
 * ```
 */
export function robustFor(spec: DefenceSpec, optimiser: Optimiser, topology: Topology): Defence {
  const defence = createDefence(spec);
  requireFeatures("simulator", featuresIn({ topology, optimiser, robust: spec }));
  const useless = defence.unfit?.(topology);
  if (useless === undefined) return defence;
  const rule = `${spec.kind} needs a topology on which it leaves something, and over ${topology.name} ${useless}`;
  throw new InputError(rule, topology.name, "try clip or guard, or a topology whose nodes hear more peers in a round");
}

/**
 * Mixing if some nodes lie or all defend themselves: every liar sends another vector instead of its row, and every node mixes
 * its own true row with what it receives. Plain loops; the mixed rows are in x's own memory. O((n + edges) d) a round.
 */
export function robustMixer(defence: Defence | undefined, liars: Liars | undefined) {
  /** Memory for the mixed rows, by length. */
  const spare = new Map<number, Rows>();
  return (round: Round, x: Rows, exchange: number): Rows => {
    const y = spare.get(x.length) ?? x.slice();
    spare.set(x.length, y);
    hearRound(round, x, liars === undefined ? x : said(liars, x, exchange), y, defence);
    x.set(y);
    return x;
  };
}

/** The rows as they are sent. */
function said(liars: Liars, x: Rows, exchange: number): Rows {
  const d = x.length / liars.marks.length;
  const rowOf = (rows: Rows, i: number) => rows.subarray(i * d, (i + 1) * d);
  const honest = honestRows(x, liars);
  const seen = Array.from({ length: honest.length / d }, (_, i) => rowOf(honest, i));
  const sent = x.slice();
  for (const node of liars.nodes) sent.set(liars.say(node, rowOf(x, node), exchange, seen), node * d);
  return sent;
}
