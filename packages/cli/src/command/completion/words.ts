/** What can be typed after what, read from the commands and the registries. */

import { Command, type Option } from "commander";
import type { AnyFamily, Registry } from "equitopo/internal/input";
import { registries } from "../../registries.ts";
import { addFlags, type CommandModule, commonFlags } from "../../terminal/flags.ts";

export interface CommandLike {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** What may be its first word, where that is one of some names. */
  readonly first: readonly string[];
  readonly flags: readonly FlagWords[];
}

export interface FlagWords {
  readonly flag: string;
  readonly help: string;
  /** It is followed by a value: one of these names, or anything else where there are none. */
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** The members of the registry that an argument or an option is called after: topology, --topologies, --problem. */
function namesFor(what: string): readonly string[] {
  const all: Readonly<Record<string, Registry<AnyFamily>>> = registries as never;
  return (all[what] ?? all[`${what}s`] ?? all[what.replace(/y$/, "ies")])?.names ?? [];
}

export async function everyWord(all: readonly CommandLike[]): Promise<CommandWords[]> {
  return Promise.all(
    all.map(async ({ name, summary, load }) => {
      const { define, first } = await load();
      const command = addFlags(define(new Command(name)), commonFlags);
      return {
        ...{ name, summary },
        first: first?.() ?? namesFor(command.registeredArguments[0]?.name() ?? ""),
        flags: command.options.map(flagWords),
      };
    }),
  );
}

function flagWords(option: Option): FlagWords {
  const takesValue = option.required || option.optional;
  const values = takesValue ? (option.argChoices ?? namesFor(option.attributeName())) : [];
  return { flag: option.long as string, help: option.description, takesValue, values };
}
