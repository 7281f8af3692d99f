/** Every defence by its kind. A new one is one file and one line here; the law suite then runs on it by itself. */

import { InputError } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { Registry } from "../input/registry.ts";
import { clip } from "./clip.ts";
import type { Defence, DefenceFamily, DefenceSpec } from "./defence.ts";
import { guard } from "./guard.ts";
import { trim } from "./trim.ts";

/** All of them, in the order of `equitopo list`; open to others. */
export const defences = new Registry<DefenceFamily>("defence", [clip, trim, guard]);

/**
 * The defence that a spec describes: `{ kind }` and that kind's options.
 *
 * @example
 * ```ts
 * import { createDefence } from "equitopo/robust";
 * const { row } = createDefence({ kind: "clip", radius: 2 });
 * const y = new Float64Array(1);
 * row(y, Float64Array.of(1), [0.5], [Float64Array.of(1e30)]); // half of a step of 2
 * y[0] // => 2
 * ```
 */
export function createDefence(spec: DefenceSpec): Defence {
  if (typeof spec !== "object" || spec === null) {
    throw new InputError("a defence is an object with a kind and its options", spec, "try { kind: clip, radius: 1 }");
  }
  const { kind, ...given } = spec;
  const member = defences.get(kind);
  const options = settle(kind, member.options, given, [], `${kind}'s `);
  return { spec: { kind, ...options }, ...member.create(options) };
}
