/**
 * The key `robust` of a spec: the defence that all nodes of a run mix with, or none. Both ends of an exchange have its
 * radius from the spec, and peers whose specs differ refuse each other.
 *
 * Not every algorithm bears it. A defence changes W from row to row, so what an algorithm owes to W is lost: the sum of the
 * trackers is no longer that of the gradients, corrections and push-sum weights are shares of sums that leak, and a
 * compressed difference is no model that could be compared with one's own. An exact mean hears everybody at once. All of
 * these are refused before the first round.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms, createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { InputError } from "../input/input.ts";
import type { Defence, DefenceSpec } from "../robust/defence.ts";
import { createDefence } from "../robust/registry.ts";
import type { Topology } from "../topology/topology.ts";

/**
 * The defence that a spec describes, for this algorithm over this topology; refuses where it would be none.
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
  const reason = unfitAlgorithm(optimiser);
  if (reason !== undefined) {
    throw new InputError(
      `robust mixing needs an algorithm that sends one model and keeps the rest to itself, and ${reason}`,
      optimiser.name,
      `these go with it: ${algorithms
        .filter(fits)
        .map(({ name }) => name)
        .join(", ")}`,
    );
  }
  const useless = defence.unfit?.(topology);
  if (useless === undefined) return defence;
  throw new InputError(
    `${spec.kind} needs a topology on which it leaves something, and over ${topology.name} ${useless}`,
    topology.name,
    "try clip or guard, or a topology whose nodes hear more peers in a round",
  );
}

/** Why an algorithm cannot be defended; undefined where it can. */
function unfitAlgorithm({ name, algorithm, sends, exchanges }: Optimiser): string | undefined {
  const shared = Object.entries(algorithm.states).find(([, kind]) => kind !== "own");
  if (shared !== undefined) {
    const [state, kind] = shared;
    const what =
      kind === "share" ? "a share of a sum over all nodes" : "part of a tracker, whose sum mixing has to keep";
    return `${name}'s ${state} is ${what}`;
  }
  if (sends.compressed !== undefined) return `${name} sends compressed differences`;
  if (exchanges.means) return `${name} takes exact means over all nodes`;
  return sends.vectors > 1 || (sends.scalars ?? 0) > 0 ? `${name} sends more` : undefined;
}

const fits = (member: Algorithm): boolean =>
  unfitAlgorithm(createAlgorithm({ name: member.name, learningRate: 1 })) === undefined;
