/** The options of a command as one table, from which its help and the values for its action come. */

import { type Command, Option } from "commander";
import { InputError, topologies } from "equitopo";
import { defined } from "equitopo/internal/input";
import { betweenOption, integerOption, listOption, numberOption } from "./arguments.ts";

export interface Flag<T> {
  /** What the help writes for its value, such as <N>; a switch has none. */
  readonly value?: string;
  readonly help: string;
  /** A parser of its words, by the name that errors call it. */
  readonly parse?: (name: string) => (text: string) => T;
  readonly choices?: readonly string[];
  readonly preset?: T;
  readonly mandatory?: true;
  /** The flag that it cannot be given with. */
  readonly without?: string;
  /** It may be given several times, and its value is the list of all. */
  readonly repeated?: true;
}

/** By the names in programs: learningRate is --learning-rate. */
type Flags = Readonly<Record<string, Flag<unknown>>>;

/** Of a flag that always has a value. */
type Settled<T> = Flag<T> & ({ readonly preset: T } | { readonly mandatory: true });

type ValueOf<F> = F extends Flag<infer T> ? T : never;

/** The values of a table of flags: those that were given, and those that are always there. */
export type Given<F> = { readonly [K in keyof F as F[K] extends Settled<unknown> ? never : K]?: ValueOf<F[K]> } & {
  readonly [K in keyof F as F[K] extends Settled<unknown> ? K : never]: ValueOf<F[K]>;
};

export const on = (help: string): Flag<true> => ({ help });

export const word = (value: string, help: string): Flag<string> => ({ value, help });

export const repeated = (value: string, help: string): Flag<readonly string[]> => {
  return { value, help: `${help}; may be given several times`, repeated: true };
};

/** Seeds from A to B, or those listed. */
export const seedsFlag = (what: string) =>
  parsed("<A..B|a,b,c>", what, () => (text): readonly number[] => {
    const [, from, to] = /^\s*(\d+)\.\.(\d+)\s*$/.exec(text) ?? [];
    const count = Number(to) - Number(from) + 1;
    const read = integerOption("seeds", 0, 1);
    const listed = () => text.split(",").map((word) => read(word.trim()));
    const seeds = count > 0 && count <= MOST_SEEDS ? Array.from({ length: count }, (_, k) => read(from) + k) : listed();
    if (new Set(seeds).size === seeds.length && seeds.length <= MOST_SEEDS) return seeds;
    const rule = `seeds must be A..B or a list, each seed once and at most ${MOST_SEEDS}`;
    throw new InputError(rule, text, "try --seeds 1..8");
  });

/** More would be a slip of the keyboard. */
const MOST_SEEDS = 1000;

export const choice = <T extends string>(value: string, help: string, choices: readonly T[]): Flag<T> => {
  return { value, help, choices };
};

/** Whatever the parser makes of the words; without one, what commander does. */
export const parsed = <T>(value: string, help: string, parse?: Flag<T>["parse"]): Flag<T> => {
  return { value, help, ...defined({ parse }) };
};

export const number = (value: string, help: string, example: number) =>
  parsed(value, help, (name) => numberOption(name, example));

export const whole = (value: string, help: string, min: number, example: number) =>
  parsed(value, help, (name) => integerOption(name, min, example));

export const between = (value: string, help: string, min: number, max: number, example: number) =>
  parsed(value, help, (name) => betweenOption(name, min, max, example));

export const numbers = (value: string, help: string, example: string) =>
  parsed(value, help, (name) => listOption(name, example));

/** Where to listen; 0 is any port that is free. */
export const port = (example: number) =>
  parsed("<P>", "where to listen (default: any that is free)", (name) => (text) => {
    const value = integerOption(name, 0, example)(text);
    if (value <= 65_535) return value;
    throw new InputError("port must be an integer from 0 to 65535", value, `try --port ${example}`);
  });

export const topologyNames = (help: string) =>
  parsed("<a,b,c>", help, () => (text): readonly string[] => {
    return [...new Set(text.split(",").map((name) => topologies.get(name.trim()).name))];
  });

/** The flag with the value that it has where it is not given. */
export const preset = <T>(value: T, flag: Flag<T>) => ({ ...flag, preset: value });

/** Options that may be given several times. */
const repeatable = new WeakSet<Option>();

/** --learning-rate is the flag of learningRate. */
export const flagName = (key: string) => key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function addFlags(command: Command, flags: Flags): Command {
  for (const [key, { value, help, parse, choices, preset, mandatory, without, repeated }] of Object.entries(flags)) {
    const name = flagName(key);
    const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, help).default(preset);
    // For commander, --no-title would be the opposite of a --title.
    option.negate = false;
    if (choices !== undefined) option.choices(choices);
    if (without !== undefined) option.conflicts(without);
    if (parse !== undefined) option.argParser(parse(name));
    if (repeated) {
      option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
      repeatable.add(option);
    }
    command.addOption(option.makeOptionMandatory(mandatory === true));
  }
  return command;
}

/** Refuses a value that would silently take the place of one given before. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (repeatable.has(option) || option.variadic || option.isBoolean()) continue;
    let before: unknown;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (before !== undefined) {
        throw new InputError(`${option.long} is given once`, `${before} and ${value}`, "leave out one of them");
      }
      before = value;
    });
  }
}

export const commonFlags = {
  json: on("one JSON object on stdout in place of text"),
  quiet: on("only the result: no progress, no notes"),
  plugin: repeated("<FILE>", "members of your own from a module (equitopo guide plugins)"),
};

export interface CommonOptions extends Given<typeof commonFlags> {}

/** The file of a command. */
export interface CommandModule {
  /** Its arguments, such as <spec>, and what each is. */
  readonly words?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
  /** Adds to a bare command what is not in these tables. */
  define?(command: Command): Command;
  /** What its first word may be, where that is one of some names and no topology: shells complete it. */
  readonly first?: () => readonly string[];
  /** The text below them: explanations and examples. */
  readonly help: string;
  /** Does it, with the arguments and options as they were read; answers the exit code, or nothing where all is well. */
  act(...words: never[]): Promise<unknown>;
}

/** A command by its name, loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** The bare command with everything that the module says of its arguments and options, and what every command takes. */
export function equipped(command: Command, { words = {}, flags = {}, define }: CommandModule): Command {
  for (const [name, what] of Object.entries(words)) command.argument(name, what);
  return addFlags(addFlags(define?.(command) ?? command, flags), commonFlags);
}
