/** `equitopo list`: everything that is chosen by name, each with a line and its options. */

import type { Options } from "equitopo";
import type { AnyFamily, Registry } from "equitopo/internal/input";
import { optionsOf } from "equitopo/internal/topology";
import { features, featureTable } from "equitopo/run";
import { registries } from "../registries.ts";
import { apart, type FormatOptions, formatFlag, type Part, printAnswer } from "../terminal/answer.ts";
import { type CommonOptions, on } from "../terminal/flags.ts";
import { wordTable } from "../terminal/table.ts";

export const flags = {
  features: on("what each way to do a run (simulator, peers, GPU) can do, in place of the names"),
  ...formatFlag,
};

export const help = `
Options of topologies are options of the command line; in a spec (equitopo guide spec) they are written beside the name. Your
own members (equitopo guide plugins) are listed with the others.

Examples:
  equitopo list                       names, what they are, and the options of each
  equitopo list --json                the same for programs, with the place of each topology in the paper
  equitopo list --plugin mine.mjs     and what a module adds
  equitopo list --features            which features of a run go with the simulator, real peers and a GPU
`;

export async function act(options: CommonOptions & FormatOptions & { readonly features?: true }): Promise<void> {
  if (options.features) await printAnswer(featureTable(), featuresText, options);
  else await printAnswer(asJson(), asText, options);
}

/** Options with their defaults; null where the choice is the member's. */
const defaults = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default ?? null]));

/** What is accepted, for programs that make forms. */
const ranges = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([key, { range, help }]) => [key, help ?? range]));

function asJson(): object {
  const { topologies, algorithms, problems, ...others } = registries;
  const sourced = ({ name, summary, source, options }: AnyFamily & { readonly source: string }) => {
    return { name, summary, source, options: Object.keys(options), ranges: ranges(options) };
  };
  const plain = ({ name, summary, options }: AnyFamily) => {
    return { name, summary, options: defaults(options), ranges: ranges(options) };
  };
  return {
    topologies: topologies.map((family) => sourced({ ...family, options: optionsOf(family) })),
    algorithms: algorithms.map((one) => {
      const { name, summary, ...rest } = plain(one);
      return { name, summary, update: one.update, needs: one.condition.name, exact: one.exact, ...rest };
    }),
    problems: problems.map(sourced),
    ...Object.fromEntries(
      Object.entries(others).map(([key, registry]) => [key, (registry as Registry<AnyFamily>).map(plain)]),
    ),
  };
}

/** The features by the drivers, then why a driver lacks one, and which two do not go together. */
function featuresText(): Part[] {
  const { features: names, drivers, pairs } = featureTable();
  const lacking = names.flatMap((name) =>
    drivers.flatMap((driver) => {
      const reason = driver.features[name];
      return typeof reason === "string" ? [[name, driver.name, reason]] : [];
    }),
  );
  return [
    wordTable(
      ["feature", ...drivers.map(({ name }) => name), "what it is"],
      names.map((name) => [
        name,
        ...drivers.map((one) => (one.features[name] === true ? "yes" : "-")),
        features[name][0],
      ]),
    ),
    wordTable(["feature", "not with", "because"], lacking),
    wordTable(
      ["driver", "feature", "not together with", "because"],
      pairs.map(({ driver, a, b, reason }) => [driver, a, b, reason]),
    ),
  ].flatMap(apart);
}

function asText(): Part[] {
  const { topologies, algorithms, problems: _, ...others } = registries;
  const named = (options: Options) =>
    Object.entries(options)
      .map(([key, { default: value }]) => (value === undefined ? key : `${key}=${shown(value)}`))
      .join(" ");
  const flagsOf = (options: Options) =>
    Object.keys(options)
      .map((key) => `--${key}`)
      .join(" ");
  return [
    wordTable(
      ["topology", "what it is", "options beside --n"],
      topologies.map((family) => [family.name, family.summary, flagsOf(optionsOf(family))]),
    ),
    wordTable(
      ["algorithm", "update", "needs", "options beside learningRate=0.01"],
      algorithms.map(({ name, update, condition, options }) => [name, update, condition.name, named(options)]),
    ),
    ...([registries.problems, ...Object.values(others)] as Registry<AnyFamily>[]).map((registry) =>
      wordTable(
        [registry.kind, "what it is", "options"],
        registry.map(({ name, summary, options }) => [name, summary, named(options)]),
      ),
    ),
  ].flatMap(apart);
}

const shown = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
