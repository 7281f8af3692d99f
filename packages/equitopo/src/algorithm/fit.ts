/** Whether an algorithm and a topology go together, asked before the first round; and which do, where they do not. */

import { InputError } from "../input/input.ts";
import { families } from "../topology/registry.ts";
import type { Family, Topology } from "../topology/topology.ts";
import type { Algorithm } from "./algorithm.ts";

type Conditioned = Pick<Algorithm, "name" | "condition">;

/**
 * The names of the registered topologies, at their default options, that fit this algorithm at this n.
 *
 * @example
 * ```ts
 * import { algorithm, fittingTopologies } from "equitopo";
 * fittingTopologies(algorithm("extra"), 17).slice(0, 2).join() // => "u-equistatic,ring"
 * ```
 */
export function fittingTopologies({ condition }: Conditioned, n: number): string[] {
  const fits = (family: Family) => {
    if (family.refuses?.(n) !== undefined) return false;
    // Two draws: a directed graph that came out symmetric by chance is no advice.
    const draws = family.options.includes("seed") ? [{ n }, { n, seed: 1 }] : [{ n }];
    return draws.every((options) => condition.unfit(family.create(options)) === undefined);
  };
  return families.filter(fits).map((family) => family.name);
}

/** Throws where the topology does not fulfil the algorithm's condition on W: the reason, and topologies that do. */
export function requireFit(algorithm: Conditioned, topology: Topology): void {
  const reason = algorithm.condition.unfit(topology);
  if (reason === undefined) return;
  const names = fittingTopologies(algorithm, topology.n);
  throw new InputError(
    `${algorithm.name} needs a ${algorithm.condition.name} W, and ${topology.name} does not fit: ${reason}`,
    topology.name,
    `at n = ${topology.n} these fit: ${names.join(", ")}`,
  );
}
