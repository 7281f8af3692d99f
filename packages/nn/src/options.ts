/** Options that only networks and data have: names of files, lists of numbers, members of other registries. */

import { InputError, type Option } from "equitopo/input";

const refused = (name: string, range: string, value: unknown, example: string) =>
  new InputError(`${name} must be ${range}`, value, `try ${example}`);

/** A text, left out by default. */
export function text(range: string): Option<string | undefined> {
  return {
    default: undefined,
    range,
    check(name, value) {
      if (typeof value === "string" && value !== "") return value;
      throw refused(name, range, value, "a text in quotes");
    },
  };
}

/** A list of whole numbers, each at least 1. */
export function wholes<V extends readonly number[] | undefined>(preset: V): Option<readonly number[] | V> {
  const range = "a list of integers, each at least 1";
  return {
    default: preset,
    range,
    check(name, value) {
      if (Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 1)) return value;
      throw refused(name, range, value, "[128]");
    },
  };
}

/** A member of a registry as specs say it: its name, or its name with options. */
export type Named = string | { readonly name: string; readonly [option: string]: unknown };

/** Name and options apart. */
export function named(what: string, value: unknown): { name: string; options: Readonly<Record<string, unknown>> } {
  if (typeof value === "string") return { name: value, options: {} };
  if (typeof value === "object" && value !== null && "name" in value && typeof value.name === "string") {
    const { name, ...options } = value;
    return { name, options };
  }
  throw new InputError(
    `${what} must be a name, or an object with a name and options`,
    value,
    `try ${what}: { name: ... }`,
  );
}
