/**
 * The options of whatever has a name in a registry: each with its default and its range, so that a misspelt or wild one
 * is refused at once, and with the words that a command line needs of it.
 */

import { integer, oneOf, onlyKeys, real } from "./input.ts";

export type OptionValue = number | string;

export interface Option<V = unknown> {
  /** Undefined: left to the member that it belongs to. */
  readonly default: V;
  /** What is accepted, in words. */
  readonly range: string;
  /** What it means, in a line. */
  readonly help?: string;
  /** The value, or an error that names the option. */
  check(name: string, value: unknown): V;
  /** The value that the words of a command line mean; where it is left out, no flag sets this option. */
  parse?(text: string): unknown;
}

export type Options = Readonly<Record<string, Option>>;

/** The values that a set of options takes. */
export type Values<O> = { readonly [K in keyof O]: O[K] extends Option<infer V> ? V : never };

/** The options as given, checked, with defaults where nothing was given; a key that nobody reads is refused. */
export function settle<O extends Options>(
  owner: string,
  options: O,
  given: object,
  others: readonly string[] = [],
): Values<O> {
  onlyKeys(owner, given, [...others, ...Object.keys(options)]);
  const values = Object.entries(options).map(([name, option]) => {
    const value = (given as Record<string, unknown>)[name];
    return [name, value === undefined ? option.default : option.check(`${owner}'s ${name}`, value)];
  });
  return Object.fromEntries(values) as Values<O>;
}

/** A share in [0, 1): momentum and the like. */
export function share(preset: number): Option<number> {
  return {
    default: preset,
    range: "[0, 1)",
    check: (name, value) => real(name, value, { min: 0, max: 1, open: "max" }, preset),
  };
}

/** A share in (0, 1]. */
export function positiveShare(preset: number): Option<number> {
  return {
    default: preset,
    range: "(0, 1]",
    check: (name, value) => real(name, value, { min: 0, max: 1, open: "min" }, preset),
  };
}

/** A whole number from min to max. */
export function whole(preset: number, min: number, max?: number): Option<number> {
  return {
    default: preset,
    range: max === undefined ? `integer, at least ${min}` : `integer, ${min} to ${max}`,
    check: (name, value) => integer(name, value, min, max),
  };
}

/** One of a few words, the first being the default. */
export function word<T extends string>(...words: readonly [T, ...T[]]): Option<T> {
  return { default: words[0], range: words.join(", "), check: (name, value) => oneOf(name, value, words) };
}

/** Leaves the choice to the algorithm unless it is given. */
export function auto<V extends OptionValue>(option: Option<V>): Option<V | "auto"> {
  return {
    default: "auto",
    range: `auto, or ${option.range}`,
    check: (name, value) => (value === "auto" ? "auto" : option.check(name, value)),
  };
}
