/** Every attack by name. A new one is one file and one line here; the law suite then runs on it by itself. */

import { inside } from "../../input/input.ts";
import { settle } from "../../input/option.ts";
import { Registry } from "../../input/registry.ts";
import type { AttackFamily, Lie } from "./attack.ts";
import { labelFlip } from "./label-flip.ts";
import { large } from "./large.ts";
import { littleIsEnough } from "./little-is-enough.ts";
import { noise } from "./noise.ts";
import { signFlip } from "./sign-flip.ts";

/** All of them, in the order of `equitopo list`; open to others. */
export const attacks = new Registry<AttackFamily>("attack", [signFlip, large, noise, littleIsEnough, labelFlip]);

/** A name, or a name with options beside it: plain JSON. */
export type AttackSpec = string | { readonly name: string; readonly [option: string]: unknown };

/** An attack with its options settled. */
export interface Attack {
  readonly family: AttackFamily;
  readonly lie: Lie;
}

/**
 * The attack that a spec describes.
 *
 * @example
 * ```ts
 * import { createAttack } from "equitopo/faults";
 * const said = new Float64Array(2);
 * const scene = { node: 3, exchange: 0, seed: 1, honest: [] };
 * createAttack({ name: "sign-flip", scale: 2 }).lie(Float64Array.of(1, -3), scene, said);
 * said.join(" ") // => "-2 6"
 * ```
 */
export function createAttack(spec: AttackSpec): Attack {
  const { name, ...given } = typeof spec === "object" && spec !== null ? spec : { name: spec };
  const family = attacks.get(name);
  return { family, lie: family.create(inside(name, () => settle(name, family.options, given))) };
}
