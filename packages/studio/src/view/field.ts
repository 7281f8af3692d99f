/**
 * What the page remembers, entry by entry: how a value is written in the address and read back from it, and how it is set by
 * hand. Reading never fails: a text that is unknown or wild gives undefined, and the view then takes the initial value.
 */

import { type Option, option } from "equitopo/internal/input";

/** The control of a field as data, drawn by part/control.tsx: a slider where it has a range, a choice, or a switch. */
export interface Look {
  readonly label: string;
  /** What it means, in one line. */
  readonly note?: string | undefined;
  /** As the paper writes it: "n", "β". */
  readonly symbol?: string | undefined;
  /** A slider's range; it may be narrower than what an address can say. */
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Equal distances on the slider are equal factors. */
  readonly log?: boolean;
  /** Whole numbers only. */
  readonly whole?: boolean;
  /** A choice: what its values are called. */
  readonly choices?: Readonly<Record<string, string>>;
}

export interface Field<V> {
  readonly initial: V;
  /** Left out where the view has a control of its own for it. */
  readonly look?: Look | undefined;
  read(text: string): V | undefined;
  write(value: V): string;
}

/** How one value of a field is written; without an initial value. */
export type Entry<V> = Omit<Field<V>, "initial">;

export type FieldValue<F> = F extends Field<infer V> ? V : never;

type More = Omit<Look, "label" | "note" | "whole" | "choices">;

/** A field with the range of one of the library's options. */
function numeric({ check, parse, default: initial }: Option<number>, look: Look): Field<number> {
  return {
    initial,
    look,
    read(text) {
      try {
        return check("value", parse?.(text));
      } catch {
        return undefined;
      }
    },
    write: String,
  };
}

/** A whole number from min to max: `whole(64, 2, 10_000, "Nodes", "how many take part")`. */
export function whole(initial: number, min: number, max: number, label = "", note?: string, more?: More) {
  return numeric(option.whole(initial, min, max), { label, note, min, max, whole: true, ...more });
}

/** A number from min to max. */
export function number(initial: number, min: number, max: number, label = "", note?: string, more?: More) {
  return numeric(option.number(initial, { min, max }), { label, note, min, max, ...more });
}

/** On or off: 1 or 0. */
export function toggle(label: string, note?: string, symbol?: string): Field<boolean> {
  return {
    initial: false,
    look: { label, note, symbol },
    read: (text) => (text === "1" ? true : text === "0" ? false : undefined),
    write: (value) => (value ? "1" : "0"),
  };
}

/** One of a few words, the first being the initial one. */
export function word<const T extends string>(...words: readonly [T, ...T[]]): Field<T> {
  return { initial: words[0], read: (text) => words.find((known) => known === text), write: String };
}

/** One of a few words, each with what it is called on the page. */
export function choice<const T extends string>(
  label: string,
  note: string,
  choices: Readonly<Record<T, string>>,
  symbol?: string,
): Field<T> {
  return { ...word(...(Object.keys(choices) as [T, ...T[]])), look: { label, note, choices, symbol } };
}

/** Of one field, or nothing: left out of the address. */
export function perhaps<V>(field: Entry<V>): Field<V | undefined> {
  return {
    look: field.look,
    initial: undefined,
    read: (text) => (text === "" ? undefined : field.read(text)),
    write: (value) => (value === undefined ? "" : field.write(value)),
  };
}

/**
 * Entries with commas between them; one that cannot be read is left out, and so are those past the most. Where the list is
 * not empty at first, it never is.
 */
export function list<V>(entry: Entry<V>, initial: readonly V[], most: number): Field<readonly V[]> {
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
