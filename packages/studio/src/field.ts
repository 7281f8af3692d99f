/**
 * What the page remembers, entry by entry: how a value is written in the address and read back from it. Reading never
 * fails: what is unknown or wild is undefined, and the view then takes the initial value.
 */

import type { Option } from "equitopo/input";

export interface Field<V> {
  readonly initial: V;
  read(text: string): V | undefined;
  write(value: V): string;
}

export type FieldValue<F> = F extends Field<infer V> ? V : never;

/** A field with the range of one of the library's options: `of(option.whole(300, 2, 10_000))`. */
export function of<V extends number | string>(option: Option<V>): Field<V> {
  return {
    initial: option.default,
    read(text) {
      try {
        return option.check("value", option.parse?.(text));
      } catch {
        return undefined;
      }
    },
    write: String,
  };
}

/** On or off: 1 or 0. */
export function toggle(initial: boolean): Field<boolean> {
  return {
    initial,
    read: (text) => (text === "1" ? true : text === "0" ? false : undefined),
    write: (value) => (value ? "1" : "0"),
  };
}

/** One of a few words, the first being the initial one. */
export function word<const T extends string>(...words: readonly [T, ...T[]]): Field<T> {
  return { initial: words[0], read: (text) => words.find((known) => known === text), write: String };
}

/** Of one field, or nothing: left out of the address. */
export function perhaps<V>(field: Omit<Field<V>, "initial">): Field<V | undefined> {
  return {
    initial: undefined,
    read: (text) => (text === "" ? undefined : field.read(text)),
    write: (value) => (value === undefined ? "" : field.write(value)),
  };
}

/**
 * Entries with commas between them; one that cannot be read is left out, and so are those past the most. Where the list is
 * not empty at first, it never is.
 */
export function list<V>(entry: Omit<Field<V>, "initial">, initial: readonly V[], most: number): Field<readonly V[]> {
  return {
    initial,
    read(text) {
      const entries = text === "" ? [] : text.split(",").map((word) => entry.read(word));
      const known = entries.filter((value) => value !== undefined).slice(0, most);
      return known.length === 0 ? initial : known;
    },
    write: (values) => values.map((value) => entry.write(value)).join(","),
  };
}
