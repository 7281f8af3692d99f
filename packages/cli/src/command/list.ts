/** `equitopo list`: topologies, algorithms and problems, each with a line and its options. */

import type { Command } from "commander";
import { algorithms, type Options, problems, topologies } from "equitopo";
import "../run/context.ts";
import type { CommonOptions } from "../commands.ts";
import { print, printJson } from "../output.ts";
import { table } from "../table.ts";

export function define(command: Command): void {
  command
    .addHelpText(
      "after",
      `
Options of topologies are options of the command line; in a spec (docs/spec.md) all stand beside the name.

Examples:
  equitopo list             names, what they are, and the options of each
  equitopo list --json      the same for programs, with where each topology stands in the paper
`,
    )
    .action(async (options: CommonOptions) => {
      if (options.json) await printJson(asJson());
      else await print([asText()]);
    });
}

/** The options of an algorithm with their defaults. */
const defaults = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default]));

function asJson(): object {
  return {
    topologies: topologies.map(({ name, summary, source, options }) => {
      return { name, summary, source, options: Object.keys(options) };
    }),
    algorithms: algorithms.map(({ name, summary, update, condition, exact, options }) => {
      return { name, summary, update, needs: condition.name, exact, options: defaults(options) };
    }),
    problems: problems.map(({ name, summary, source, options }) => {
      return { name, summary, source, options: Object.keys(options) };
    }),
  };
}

function asText(): string {
  const titled = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
    table(
      titles.map((title) => ({ title, align: "left" })),
      rows,
    );
  const named = (options: object) =>
    Object.entries(options)
      .map(([key, value]) => `${key}=${value}`)
      .join(" ");
  return [
    titled(
      ["topology", "what it is", "options beside --n"],
      topologies.map(({ name, summary, options }) => [
        name,
        summary,
        Object.keys(options)
          .map((key) => `--${key}`)
          .join(" "),
      ]),
    ),
    titled(
      ["algorithm", "update", "needs", "options beside learningRate=0.01"],
      algorithms.map(({ name, update, condition, options }) => [
        name,
        update,
        condition.name,
        named(defaults(options)),
      ]),
    ),
    titled(
      ["problem", "what it is", "options"],
      problems.map(({ name, summary, options }) => [name, summary, named(defaults(options))]),
    ),
  ].join("\n");
}
