/**
 * A rule of local steps by its name, judged over a topology before any run: what an outer step leaves of disagreement, the
 * level that it settles at, and the largest values of its options with which it does not grow (rate/outer.ts).
 */

import type { AlgorithmSpec } from "../algorithm/registry.ts";
import { algorithms } from "../algorithm/registry.ts";
import { InputError } from "../input/input.ts";
import { settle, type Values } from "../input/option.ts";
import { largestStable, type OuterStability, outerGrows, outerStability } from "../rate/outer.ts";
import type { OuterModel } from "../rate/outer-model.ts";
import type { Topology } from "../topology/topology.ts";

export interface OuterJudgement extends OuterStability {
  /** The rule and its options, with their defaults. */
  readonly rule: AlgorithmSpec;
  /** Disagreement does not grow by itself, as before a run; where it does not die out either, what it settles at is Infinity. */
  readonly stable: boolean;
  /** The largest stable value of each option that decides, the others being as given; 1 for any momentum below 1. */
  readonly largest: Readonly<Record<string, number>>;
}

/** Options that may decide, and the largest values that are tried. */
const RANGES: Readonly<Record<string, number>> = { outerMomentum: 1, pull: 2, outerRate: 2 };

/** Nothing of an option that the rule holds to another one, as noloco's released form holds its pull. */
function free(find: () => number | undefined): number | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** The names of the rules that have a model. */
export const outerRules = (): string[] => algorithms.filter(({ outer }) => outer !== undefined).map(({ name }) => name);

/** A rule's options with its defaults, and its model for any change of them. */
export function outerRule({ name, ...given }: AlgorithmSpec) {
  const member = algorithms.get(name);
  const { outer } = member;
  if (outer === undefined) {
    throw new InputError("an outer rule must be one of local steps", name, `choose one of ${outerRules().join(", ")}`);
  }
  const options = settle(name, member.options, given, ["learningRate"], `${name}'s `) as Readonly<
    Record<string, unknown>
  >;
  const modelOf = (changed: object = {}): OuterModel => outer({ ...options, ...changed } as unknown as Values<object>);
  return { member, options, modelOf };
}

/**
 * The judgement. O(what the topology's mean squares cost), some thirty times for the largest values.
 *
 * @example
 * ```ts
 * import { odEquiDyn } from "equitopo";
 * import { judgeOuter } from "equitopo/advise";
 * const { stable, largest } = judgeOuter(odEquiDyn({ n: 64 }), { name: "noloco", outerMomentum: 0.9, pull: 0.7 });
 * stable // => false
 * largest["pull"] // => 0.38
 * judgeOuter(odEquiDyn({ n: 64 }), { name: "gossip-diloco" }).disagreement.toFixed(2) // => "0.38"
 * ```
 */
export function judgeOuter(topology: Topology, spec: AlgorithmSpec): OuterJudgement {
  const { member, options, modelOf } = outerRule(spec);
  const unfit = topology.stochastic ?? topology.pair;
  const reason = unfit === undefined || modelOf().mean ? undefined : member.condition.unfit(topology, options);
  if (reason !== undefined) {
    throw new InputError(
      `${spec.name} cannot run over ${topology.name}: ${reason}`,
      topology.name,
      "choose another one",
    );
  }
  const found = outerStability(topology, modelOf());
  const largest: Record<string, number> = {};
  for (const [name, most] of Object.entries(RANGES)) {
    if (typeof options[name] !== "number") continue;
    const value = free(() => largestStable(topology, (tried) => modelOf({ [name]: tried }), most));
    if (value !== undefined && (value < most || name === "outerMomentum")) largest[name] = value;
  }
  const rule = { name: spec.name, ...options };
  return { rule, stable: !outerGrows(topology, modelOf()), ...found, largest };
}
