/**
 * The options of everything that has a name in a registry: each with its default and its range, so that a wrong name or value
 * is refused at once, and with the texts that a command line needs.
 */

import { nonnegative as fromZero, InputError, integer, oneOf, onlyKeys, real } from "./input.ts";

export type OptionValue = number | string;

export interface Option<V = unknown> {
  /** Undefined: the member decides. */
  readonly default: V;
  /** The accepted values, in words. */
  readonly range: string;
  /** Its meaning, in one line. */
  readonly help?: string;
  /** An example of a value, for the command line's help: "1,2,4". */
  readonly written?: string;
  /** Whether it must be given. */
  readonly required?: true;
  /** The value, or an error that names the option. */
  check(name: string, value: unknown): V;
  /**
   * The value of a text on the command line, or undefined if it has none. If left out, no flag sets this option, unless it is
   * a switch.
   */
  parse?(text: string): unknown;
  /** Turned on by its name alone on the command line: `--lazy`. */
  readonly switch?: true;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<T> = T extends Option<infer V> ? V : never;

/** The values that a set of options takes; those without a default may be missing. */
export type Values<O> = {
  readonly [K in keyof O as undefined extends ValueOf<O[K]> ? never : K]: ValueOf<O[K]>;
} & {
  readonly [K in keyof O as undefined extends ValueOf<O[K]> ? K : never]?: Exclude<ValueOf<O[K]>, undefined>;
};

/** n and a set of options as a caller hands them in: what has a default may be left out. */
export type Given<O> = { readonly n: number } & Partial<Values<O>>;

/**
 * The given options, checked, with defaults for the others; an unknown key is refused. `others` are keys that may stand
 * beside the options; `prefix` goes before an option's name in errors.
 */
export function settle<O extends Options>(
  owner: string,
  options: O,
  given: object,
  others: readonly string[] = [],
  prefix = "",
): Values<O> {
  onlyKeys(owner, given, [...others, ...Object.keys(options)]);
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = (given as Record<string, unknown>)[name];
    const chosen =
      value === undefined && option.required !== true ? option.default : option.check(`${prefix}${name}`, value);
    if (chosen !== undefined) values[name] = chosen;
  }
  return values as Values<O>;
}

/** The same option with its meaning, and an example of its value. */
export function about<V>(option: Option<V>, help: string, written?: string): Option<V> {
  return { ...option, help, ...(written === undefined ? {} : { written }) };
}

/** The same option without a default: the member decides if it is not given. */
export function optional<V>(option: Option<V>): Option<V | undefined> {
  return { ...option, default: undefined };
}

/** The same option without a flag of its own on the command line. */
export function unwritten<V>({ parse: _parse, ...option }: Option<V>): Option<V> {
  return option;
}

/** The same option, which must be given. */
export function required<V>(option: Option<V>): Option<V> {
  return { ...option, required: true };
}

/** A real number inside an interval; `open` sides exclude their end. */
export function number(
  preset: number,
  interval: { min: number; max: number; open?: "min" | "max" | "both" } = {
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
    open: "both",
  },
): Option<number> {
  const { min, max, open } = interval;
  const left = open === "min" || open === "both" ? "(" : "[";
  const right = open === "max" || open === "both" ? ")" : "]";
  return {
    default: preset,
    range: `${left}${min}, ${max}${right}`,
    check: (name, value) => real(name, value, interval, preset),
    parse: parseNumber,
  };
}

/** A number from 0 on. */
export const nonnegative = (preset: number): Option<number> => number(preset, fromZero);

/** A number above 0. */
export function positive(preset: number): Option<number> {
  return {
    default: preset,
    range: "above 0",
    parse: parseNumber,
    check(name, value) {
      if (typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
      throw new InputError(`${name} must be a positive number`, value, `try ${name} = ${preset}`);
    },
  };
}

/** A share in [0, 1): momentum and the like. */
export const share = (preset: number): Option<number> => number(preset, { min: 0, max: 1, open: "max" });

/** A share in (0, 1]. */
export const positiveShare = (preset: number): Option<number> => number(preset, { min: 0, max: 1, open: "min" });

/** A whole number from min to max. */
export function whole(preset: number, min: number, max?: number): Option<number> {
  return {
    default: preset,
    range: max === undefined ? `integer, at least ${min}` : `integer, ${min} to ${max}`,
    check: (name, value) => integer(name, value, min, max),
    parse: parseNumber,
  };
}

/** The seed of everything that is drawn. */
export const seed: Option<number> = about(whole(0, 0), "of everything drawn, default 0", "S");

/** One of a few words, the first being the default. */
export function word<T extends string>(...words: readonly [T, ...T[]]): Option<T> {
  return {
    default: words[0],
    range: words.join(", "),
    written: words.join("|"),
    check: (name, value) => oneOf(name, value, words),
    parse: (text) => text,
  };
}

/** A list of numbers, or its text on a command line: 1,2,4; if it is not given, the member decides. */
export function numbers(): Option<readonly number[] | undefined> {
  const parse = (text: string) => {
    const values = text.split(",").map(parseNumber);
    return values.includes(undefined) ? undefined : (values as number[]);
  };
  return {
    default: undefined,
    range: "a list of numbers",
    written: "1,2,4",
    check(name, value) {
      // If another member has a flag of this name, this one's text arrives unparsed.
      const list = typeof value === "string" ? parse(value) : value;
      if (Array.isArray(list) && list.length > 0 && list.every((entry) => Number.isFinite(entry))) return list;
      throw new InputError(`${name} must be a list of at least one number`, value, `try ${name} = [1]`);
    },
    parse,
  };
}

/** Off unless it is given. */
export function flag(): Option<boolean> {
  return {
    default: false,
    range: "true, false",
    switch: true,
    check(name, value) {
      if (typeof value === "boolean") return value;
      throw new InputError(`${name} must be true or false`, value, `try ${name} = true`);
    },
  };
}

/** Leaves the choice to the algorithm unless a value is given. */
export function auto<V extends OptionValue>(option: Option<V>): Option<V | "auto"> {
  return {
    default: "auto",
    range: `auto, or ${option.range}`,
    check: (name, value) => (value === "auto" ? "auto" : option.check(name, value)),
    parse: (text) => (text === "auto" ? text : option.parse?.(text)),
  };
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A decimal number such as 300, 1e6 or 0.5; undefined if the text is none. */
export function parseNumber(text: string): number | undefined {
  return DECIMAL.test(text.trim()) ? Number(text) : undefined;
}
