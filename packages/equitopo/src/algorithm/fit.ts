/**
 * Whether an algorithm and a topology fit each other, checked before the first round; and which topologies fit, if they do
 * not.
 */

import { InputError } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { createTopology, topologies } from "../topology/registry.ts";
import type { Topology, TopologyFamily } from "../topology/topology.ts";
import type { Algorithm } from "./algorithm.ts";
import type { Condition } from "./condition.ts";

type Conditioned = Pick<Algorithm, "name" | "condition" | "options" | "outer">;

/** Above this n judging a rule of local steps over every family takes longer than a refusal should. */
const MOST_JUDGED = 512;

/** The algorithm's options, with its defaults for those that are left out. */
const settled = ({ name, options }: Conditioned, given: object) =>
  settle(name, options, given, ["name", "learningRate"], `${name}'s `);

/**
 * The names of the registered topologies, at their default options, that fit this algorithm at this n. `given` are its own
 * options, or a spec that holds them.
 *
 * @example
 * ```ts
 * import { algorithm, fittingTopologies } from "equitopo/algorithm";
 * fittingTopologies(algorithm("extra"), 17).slice(0, 2).join() // => "u-equistatic,ring"
 * ```
 */
export function fittingTopologies(algorithm: Conditioned, n: number, given: object = {}): string[] {
  const { condition } = algorithm;
  const options = settled(algorithm, given);
  const found = asked.get(condition) ?? new Map<string, string[]>();
  asked.set(condition, found);
  const key = `${n} ${JSON.stringify(options)} ${topologies.names.join(" ")}`;
  const names = found.get(key) ?? fitting(condition, n, options);
  found.set(key, names);
  return [...names];
}

/** Refusals repeat, and some conditions take a while to compute. */
const asked = new WeakMap<Condition, Map<string, string[]>>();

function fitting(condition: Condition, n: number, given: Readonly<Record<string, unknown>>): string[] {
  const fits = (family: TopologyFamily) => {
    // Two draws: a directed graph that is symmetric by chance should not be suggested.
    const draws = "seed" in family.options ? [{}, { seed: 1 }] : [{}];
    try {
      return draws.every((options) => {
        const topology = createTopology({ name: family.name, n, ...options });
        return condition.fits?.(topology, given) ?? condition.unfit(topology, given) === undefined;
      });
    } catch (error) {
      // A topology that refuses this n, or needs an option, is not suggested either.
      if (error instanceof InputError) return false;
      throw error;
    }
  };
  return topologies.filter(fits).map((family) => family.name);
}

/** Throws if the topology does not fulfil the algorithm's condition on W: the reason, and topologies that do. */
export function requireFit(algorithm: Conditioned, topology: Topology, given: object = {}): void {
  const reason = algorithm.condition.unfit(topology, settled(algorithm, given));
  if (reason === undefined) return;
  const rule = `${algorithm.name} needs a ${algorithm.condition.name} W, and ${topology.name} does not fit: ${reason}`;
  const { n } = topology;
  const isJudged = algorithm.outer !== undefined && n > MOST_JUDGED;
  const remedy = isJudged
    ? "choose such options, or another topology"
    : `at n = ${n} these fit: ${fittingTopologies(algorithm, n, given).join(", ")}`;
  throw new InputError(rule, topology.name, remedy);
}
