/** What can be typed after what, read from the commands and the registries. */

import { Command, type Option } from "commander";
import type { AnyFamily, Registry } from "equitopo/internal/input";
import { registries } from "../../registries.ts";
import { type CommandEntry, equipped } from "../../terminal/flags.ts";

export type CommandWords = Awaited<ReturnType<typeof everyWord>>[number];

/** The members of the registry that an argument or an option is called after: topology, --topologies, --problem. */
function namesFor(what: string): readonly string[] {
  const all: Readonly<Record<string, Registry<AnyFamily>>> = registries as never;
  return (all[what] ?? all[`${what}s`] ?? all[what.replace(/y$/, "ies")])?.names ?? [];
}

/** Of every command: what may be its first word, where that is one of some names, and its options. */
export async function everyWord(all: readonly CommandEntry[]) {
  return Promise.all(
    all.map(async ({ name, summary, load }) => {
      const module = await load();
      const command = equipped(new Command(name), module);
      return {
        ...{ name, summary },
        first: module.first?.() ?? namesFor(command.registeredArguments[0]?.name() ?? ""),
        flags: command.options.map(flagWords),
      };
    }),
  );
}

/** An option, and whether it is followed by a value: one of `values`, or anything else where there are none. */
function flagWords(option: Option) {
  const takesValue = option.required || option.optional;
  const values = takesValue ? (option.argChoices ?? namesFor(option.attributeName())) : [];
  return { flag: option.long as string, help: option.description, takesValue, values };
}
