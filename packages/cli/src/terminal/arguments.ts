/** Words of the command line as numbers: the checks that need the text itself. The library checks the values. */

import { InputError, option } from "equitopo";

/** A parser for an option whose value is a number, such as 300, 1e6 or 0.5. */
export function numberOption(name: string, example: number): (text: string) => number {
  return (text) => {
    const value = option.parseNumber(text);
    if (value === undefined) throw new InputError(`${name} must be a number`, text, `try --${name} ${example}`);
    return value;
  };
}

/** The same for a whole number of at least `min`. */
export function integerOption(name: string, min: number, example: number): (text: string) => number {
  const parse = numberOption(name, example);
  return (text) => {
    const value = parse(text);
    if (Number.isSafeInteger(value) && value >= min) return value;
    const large = Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER;
    const range = large ? `from ${min} to ${Number.MAX_SAFE_INTEGER}` : `of at least ${min}`;
    throw new InputError(`${name} must be an integer ${range}`, large ? text : value, `try --${name} ${example}`);
  };
}

/** The same for a number strictly between two others. */
export function betweenOption(name: string, min: number, max: number, example: number): (text: string) => number {
  const parse = numberOption(name, example);
  return (text) => {
    const value = parse(text);
    if (value > min && value < max) return value;
    throw new InputError(`${name} must lie in (${min}, ${max})`, value, `try --${name} ${example}`);
  };
}

/** A parser for a comma-separated list of numbers, such as 100,1000. */
export function listOption(name: string, example: string): (text: string) => readonly number[] {
  return (text) =>
    text.split(",").map((word) => {
      const value = option.parseNumber(word);
      if (value !== undefined) return value;
      throw new InputError(`${name} must be a number or a comma-separated list`, text, `try --${name} ${example}`);
    });
}
