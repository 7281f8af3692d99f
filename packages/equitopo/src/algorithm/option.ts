/** The options of an algorithm: each with its default and its range, so that a misspelt or wild one is refused at once. */

import { integer, oneOf, real } from "../input.ts";

export type OptionValue = number | string;

export interface Option<V extends OptionValue = OptionValue> {
  readonly default: V;
  /** What is accepted, in words. */
  readonly range: string;
  /** The value, or an error that names the option. */
  check(name: string, value: unknown): V;
}

/** The values that a set of options takes. */
export type Values<O> = { readonly [K in keyof O]: O[K] extends Option<infer V> ? V : never };

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
