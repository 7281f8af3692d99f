/** Options that only networks and data have: names of files, lists of numbers, members of other registries. */

import { InputError, type Option } from "equitopo/internal/input";

/** An option by what reads its value: undefined where it is none. `rule`: what it must be, where that is not its range. */
export function readBy<V>(
  preset: V,
  range: string,
  remedy: string,
  read: (value: unknown, name: string) => V | undefined,
  rule = range,
): Option<V> {
  return {
    ...{ default: preset, range },
    check(name, value) {
      const found = read(value, name);
      if (found !== undefined) return found;
      throw new InputError(`${name} must be ${rule}`, value, remedy);
    },
  };
}

/** A member of a registry, with its options or without; `look` refuses what is none. */
export const chosen = <T>(preset: T, range: string, look: (value: T) => unknown): Option<T> => ({
  ...{ default: preset, range },
  check(_name, value) {
    look(value as T);
    return value as T;
  },
});

/** A text, left out by default. */
export const text = (range: string): Option<string | undefined> =>
  readBy(undefined, range, "try a text in quotes", (value) =>
    typeof value === "string" && value !== "" ? value : undefined,
  );

/** A list of whole numbers, each at least 1. */
export function wholes<V extends readonly number[] | undefined>(preset: V): Option<readonly number[] | V> {
  const isWhole = (one: unknown) => Number.isInteger(one) && (one as number) >= 1;
  return readBy<readonly number[] | V>(preset, "a list of integers, each at least 1", "try [128]", (value) =>
    Array.isArray(value) && value.every(isWhole) ? value : undefined,
  );
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
  const rule = `${what} must be a name, or an object with a name and options`;
  throw new InputError(rule, value, `try ${what}: { name: ... }`);
}
