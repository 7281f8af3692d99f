/**
 * The options of all families as options of the command line. Which family takes which is read from the registry;
 * here stands only how each is written and what it means.
 */

import { type Command, Option } from "commander";
import { createTopology, families, family, InputError, type Topology } from "equitopo";
import { integerOption, numberOption, parseBasis } from "./arguments.ts";

interface TopologyOption {
  /** As the families name it. */
  readonly key: string;
  /** How its value is written; none for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly parse?: (text: string) => unknown;
}

const options: readonly TopologyOption[] = [
  {
    key: "basis",
    value: "1,2,4",
    help: "basis indices of an EquiTopo graph (-u means n - u), or full",
    parse: parseBasis,
  },
  { key: "m", value: "M", help: "draw M basis indices of an EquiTopo graph", parse: numberOption("m", 9) },
  { key: "rho", value: "R", help: "draw until the basis has rate R or less", parse: numberOption("rho", 0.5) },
  { key: "p", value: "P", help: "with --rho: M for probability 1 - P", parse: numberOption("p", 0.5) },
  {
    key: "eta",
    value: "E",
    help: "mixing parameter in (0, 1] of EquiDyn, default n/(2(n-1)), the best",
    parse: numberOption("eta", 0.5),
  },
  { key: "construction", value: "greedy|euclid", help: "how ou-equidyn makes its pairs, default greedy" },
  { key: "rows", value: "R", help: "rows of the grid or torus", parse: numberOption("rows", 15) },
  { key: "cols", value: "C", help: "columns of the grid or torus", parse: numberOption("cols", 20) },
  { key: "order", value: "cyclic|random", help: "order of the shifts in a period of one-peer-exp" },
  { key: "a", value: "A", help: "density (1 + A) ln n / n of a random graph, default 1", parse: numberOption("a", 1) },
  { key: "lazy", help: "use (I + W) / 2 of a baseline" },
  { key: "seed", value: "S", help: "of everything drawn, default 0", parse: integerOption("seed", 0, 1) },
];

/** What was written on the command line, by the families' names. */
export type TopologyValues = Readonly<Record<string, unknown>>;

/** Adds --n and the options of all families to a command. */
export function addTopologyOptions(
  command: Command,
  nodes = new Option("--n <N>", "number of nodes").argParser<unknown>(numberOption("n", 300)),
): Command {
  command.addOption(nodes);
  for (const { key, value, help, parse } of options) {
    const flags = value === undefined ? `--${key}` : `--${key} <${value}>`;
    const option = new Option(flags, help);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  return command.addHelpText("after", "\n`equitopo list` says which topology takes which options.");
}

/** The families that take an option, in words. */
function takers(key: string): string {
  return families
    .filter((member) => member.options.includes(key))
    .map((member) => member.name)
    .join(", ");
}

/** The topology options among all values of a command, n apart. */
export function topologyValues(values: TopologyValues): TopologyValues {
  return Object.fromEntries(
    options.filter(({ key }) => values[key] !== undefined).map(({ key }) => [key, values[key]] as const),
  );
}

/** n as it was given, or an error that asks for it. */
export function requireN(values: TopologyValues): number {
  const n = values["n"];
  if (typeof n !== "number") throw new InputError("--n, the number of nodes, must be given", n, "try --n 300");
  return n;
}

/**
 * The topology of that name with all options given; one that it does not take is an error, but for the seed: a script
 * may give it to every topology, whether it draws anything or not.
 */
export function topologyFromOptions(name: string, values: TopologyValues): Topology {
  const member = family(name);
  const given = topologyValues(values);
  for (const key of Object.keys(given)) {
    if (key === "seed" || member.options.includes(key)) continue;
    throw new InputError(`--${key} is an option of ${takers(key)}`, name, `leave out --${key}`);
  }
  return topologyFromSharedOptions(name, requireN(values), given);
}

/** The same where the options are meant for many topologies: each takes those that it knows. */
export function topologyFromSharedOptions(name: string, n: number, given: TopologyValues): Topology {
  const { options: known } = family(name);
  return createTopology({
    ...Object.fromEntries(Object.entries(given).filter(([key]) => known.includes(key))),
    name,
    n,
  });
}

export function addFileOption(command: Command): Command {
  return command.option("--file <FILE>", "one's own graph in place of a topology: csv, npy or json (- for stdin)");
}

/** The topology that was named, or the graph in --file. */
export async function chosenTopology(name: string | undefined, values: TopologyValues): Promise<Topology> {
  const { file, n } = values;
  if (typeof file !== "string") {
    if (name === undefined) throw new InputError("a topology must be named", name, "choose one of `equitopo list`");
    return topologyFromOptions(name, values);
  }
  if (name !== undefined) throw new InputError("--file stands in place of a topology", name, "leave out one of them");
  const stray = Object.keys(topologyValues(values)).filter((key) => key !== "seed");
  if (stray.length > 0) throw new InputError("a graph from a file takes no options", `--${stray[0]}`, "leave it out");
  const { readGraphFile } = await import("./graph-file.ts");
  const topology = await readGraphFile(file);
  if (n !== undefined && n !== topology.n) {
    throw new InputError(`--n must be the ${topology.n} nodes of ${file}`, n, "leave out --n");
  }
  return topology;
}
