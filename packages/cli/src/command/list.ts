/** `equitopo list`: everything that is chosen by name, each with a line and its options. */

import type { Command } from "commander";
import type { Options } from "equitopo";
import type { Member, Registry } from "equitopo/input";
import { optionsOf } from "equitopo/topology";
import { print, printJson } from "../output.ts";
import { registries } from "../registries.ts";
import type { CommonOptions } from "../session.ts";
import { table } from "../table.ts";

export function define(command: Command): void {
  command
    .addHelpText(
      "after",
      `
Options of topologies are options of the command line; in a spec (equitopo guide spec) all stand beside the name. Your own
members (equitopo guide plugins) are listed with the others.

Examples:
  equitopo list                       names, what they are, and the options of each
  equitopo list --json                the same for programs, with where each topology stands in the paper
  equitopo list --plugin mine.mjs     and what a module adds
`,
    )
    .action(async (options: CommonOptions) => {
      if (options.json) await printJson(asJson());
      else await print([asText()]);
    });
}

/** Options with their defaults; null where the choice is the member's. */
const defaults = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default ?? null]));

/** What is accepted, for programs that make forms. */
const ranges = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([key, { range, help }]) => [key, help ?? range]));

function asJson(): object {
  const { topologies, algorithms, problems, ...others } = registries;
  const sourced = ({ name, summary, source, options }: Member & { readonly source: string }) => {
    return { name, summary, source, options: Object.keys(options), ranges: ranges(options) };
  };
  const plain = (registry: Registry<Member>) =>
    registry.map(({ name, summary, options }) => ({
      name,
      summary,
      options: defaults(options),
      ranges: ranges(options),
    }));
  return {
    topologies: topologies.map((family) => sourced({ ...family, options: optionsOf(family) })),
    algorithms: algorithms.map(({ name, summary, update, condition, exact, options }) => {
      return {
        name,
        summary,
        update,
        needs: condition.name,
        exact,
        options: defaults(options),
        ranges: ranges(options),
      };
    }),
    problems: problems.map(sourced),
    ...Object.fromEntries(Object.entries(others).map(([key, registry]) => [key, plain(registry)])),
  };
}

function asText(): string {
  const { topologies, algorithms, problems: _, ...others } = registries;
  const titled = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
    table(
      titles.map((title) => ({ title, align: "left" })),
      rows,
    );
  const named = (options: Options) =>
    Object.entries(options)
      .map(([key, { default: value }]) => (value === undefined ? key : `${key}=${shown(value)}`))
      .join(" ");
  const plain = (registry: Registry<Member>) =>
    titled(
      [registry.kind, "what it is", "options"],
      registry.map(({ name, summary, options }) => [name, summary, named(options)]),
    );
  return [
    titled(
      ["topology", "what it is", "options beside --n"],
      topologies.map((family) => {
        const flags = Object.keys(optionsOf(family)).map((key) => `--${key}`);
        return [family.name, family.summary, flags.join(" ")];
      }),
    ),
    titled(
      ["algorithm", "update", "needs", "options beside learningRate=0.01"],
      algorithms.map(({ name, update, condition, options }) => [name, update, condition.name, named(options)]),
    ),
    ...[registries.problems, ...Object.values(others)].map((registry) => plain(registry as Registry<Member>)),
  ].join("\n");
}

const shown = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
