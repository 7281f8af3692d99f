/** A topology inside another one (the base graph of MATCHA, the one between groups): a name, or a spec without its n. */

import { InputError } from "../input/input.ts";
import type { Option } from "../input/option.ts";
import type { TopologySpec } from "./topology.ts";

export type InnerSpec = string | { readonly name: string; readonly [option: string]: unknown };

/** The whole spec, of n nodes. */
export function innerSpec(given: InnerSpec, n: number): TopologySpec {
  return { ...(typeof given === "string" ? { name: given } : given), n };
}

/** The option of such a topology. */
export function innerOption(preset: string, range: string, help: string): Option<InnerSpec> {
  return {
    default: preset,
    range,
    help: `${help}, default ${preset}`,
    written: preset,
    check(name, value) {
      const named = (value as { readonly name?: unknown } | null)?.name;
      if (typeof value === "string" || (typeof value === "object" && typeof named === "string"))
        return value as InnerSpec;
      throw new InputError(`${name} must be a topology's name or spec`, value, `try ${name} = "${preset}"`);
    },
    parse: (text) => text,
  };
}
