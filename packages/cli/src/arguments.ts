/** Words of the command line as numbers: the checks that need the text itself. The library checks the values. */

import { InputError } from "equitopo";

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A parser for an option whose value is a number, such as 300, 1e6 or 0.5. */
export function numberOption(name: string, example: number): (text: string) => number {
  return (text) => {
    if (!DECIMAL.test(text.trim())) throw new InputError(`${name} must be a number`, text, `try --${name} ${example}`);
    return Number(text);
  };
}

/** The same for a whole number of at least `min`. */
export function integerOption(name: string, min: number, example: number): (text: string) => number {
  const parse = numberOption(name, example);
  return (text) => {
    const value = parse(text);
    if (!Number.isSafeInteger(value) || value < min) {
      throw new InputError(`${name} must be an integer of at least ${min}`, value, `try --${name} ${example}`);
    }
    return value;
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
      if (DECIMAL.test(word.trim())) return Number(word);
      throw new InputError(`${name} must be a number or a comma-separated list`, text, `try --${name} ${example}`);
    });
}

/** 1,2,4 or -1,8, or the word full. */
export function parseBasis(text: string): readonly number[] | "full" {
  if (text.trim() === "full") return "full";
  return text.split(",").map((word) => {
    if (DECIMAL.test(word.trim())) return Number(word);
    throw new InputError("basis must be a comma-separated list of indices, or full", text, "try --basis 1,2,4");
  });
}
