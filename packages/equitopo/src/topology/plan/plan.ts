/**
 * A plan: a topology as plain JSON that is good for every round, so that other languages redraw its rounds bit for bit. What
 * decides the rounds is `rule` (rule.ts); `hash` is that of format, version, n and rule, so that two programs can tell
 * whether they mean the same rounds. The rest is for people and for checks before a run.
 */

import { InputError, nodes } from "../../input/input.ts";
import type { TopologySpec } from "../topology.ts";
import { canonicalHash } from "./canonical.ts";
import type { Rule } from "./rule.ts";

export const planFormat = "equitopo-plan";
export const planVersion = 1;

export interface Plan {
  readonly format: typeof planFormat;
  readonly version: typeof planVersion;
  readonly n: number;
  readonly spec: TopologySpec;
  readonly symmetric: boolean;
  readonly period: number | null;
  readonly rule: Rule;
  /** The consensus rate, and the rounds after which a disagreement is a millionth; null where nobody has worked them out. */
  readonly rate: number | null;
  readonly roundsTo1e6: number | null;
  /** Of a rule of local steps: whether it is stable over these rounds, and the largest values of its options that are. */
  readonly outer?: {
    readonly rule: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly stable: boolean;
    readonly largest: Readonly<Record<string, number>>;
  };
  readonly hash: string;
}

/** Of what decides the rounds. O(size). */
export function planHash(n: number, rule: Rule): string {
  return canonicalHash({ format: planFormat, version: planVersion, n, rule });
}

export const AGAIN = "write it again: equitopo plan NAME --n N --out graph.json";

/** Whether a value from a file claims to be a plan. */
export function claimsPlan(value: unknown): value is { readonly format: typeof planFormat } {
  return typeof value === "object" && value !== null && (value as { readonly format?: unknown }).format === planFormat;
}

/** A value from outside that claims to be a plan: its version, its members and its hash. O(size). */
export function checkedPlan(value: unknown): Plan {
  if (!claimsPlan(value)) {
    const found = (value as { readonly format?: unknown } | null)?.format;
    throw new InputError(`a plan must have format "${planFormat}"`, found, AGAIN);
  }
  const { version, n, rule, hash, spec, rate } = value as unknown as Plan;
  if (version !== planVersion) {
    const newer = typeof version === "number" && version > planVersion;
    throw new InputError(`the version of a plan must be ${planVersion}`, version, newer ? "update equitopo" : AGAIN);
  }
  nodes(n);
  const named = (part: unknown) => typeof (part as { readonly name?: unknown } | undefined)?.name === "string";
  if (!named(rule) || !named(spec)) throw new InputError("a plan must have a rule and a spec", { rule, spec }, AGAIN);
  if (rate !== null && !(Number(rate) >= 0)) throw new InputError("the rate of a plan must be a number", rate, AGAIN);
  const found = planHash(n, rule);
  if (found === hash) return value as unknown as Plan;
  throw new InputError("the hash of a plan must be that of its format, version, n and rule", hash, AGAIN);
}
