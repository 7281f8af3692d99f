/** The plan of a topology: what draws its rounds, its rate, and the hash by which others know these rounds. */

import { integer } from "../../input/input.ts";
import { predictedRounds } from "../../rate/prediction.ts";
import { readable } from "../file.ts";
import type { Topology } from "../topology.ts";
import { type Plan, planFormat, planHash, planVersion } from "./plan.ts";
import { ruleOf } from "./rule-of.ts";

export interface PlanOptions {
  /** Without the rate where that would take long; with it by default. */
  readonly rate?: boolean;
  /** Rounds that are written out where nothing else can be said of a plug-in's rounds; 1000 by default. */
  readonly rounds?: number;
}

/**
 * The plan of a topology.
 *
 * @example
 * ```ts
 * import { odEquiDyn, planOf, readPlan } from "equitopo";
 * const plan = planOf(odEquiDyn({ n: 17 }));
 * plan.rule // => { name: "shift", basis: "full", weight: 0.5, seed: 0 }
 * readPlan(JSON.stringify(plan)).peers(3, 0).from[0].node === odEquiDyn({ n: 17 }).peers(3, 0).from[0].node // => true
 * ```
 */
export function planOf(topology: Topology, { rate = true, rounds = 1000 }: PlanOptions = {}): Plan {
  const { n, spec, symmetric, period } = topology;
  const rule = ruleOf(topology, integer("rounds", rounds, 1));
  const least = rate ? predictedRounds(topology, 1e-6) : Number.POSITIVE_INFINITY;
  return {
    ...{ format: planFormat, version: planVersion, n, spec: readable(spec), symmetric, period: period ?? null, rule },
    rate: rate ? topology.rate().rate : null,
    roundsTo1e6: Number.isFinite(least) ? least : null,
    hash: planHash(n, rule),
  };
}
