/** The options of all topologies as options of the command line, all of it read from the registry. */

import { type Command, Help, Option } from "commander";
import {
  createTopology,
  InputError,
  type Option as MemberOption,
  type Topology,
  type TopologyFamily,
  type TopologySpec,
  topologies,
} from "equitopo";
import { optionsOf, refuseRelabel } from "equitopo/internal/topology";
import { attempt } from "../input/attempt.ts";
import { numberOption } from "../terminal/arguments.ts";
import { type Meter, workMeter } from "../terminal/cost.ts";
import { word } from "../terminal/flags.ts";
import { fittingHelp } from "../terminal/lines.ts";
import { note } from "../terminal/output.ts";
import { requireRoom } from "./rate-work.ts";

/** Every option that some topology takes and a flag can set, as the first that takes it describes it. */
function flags(): Map<string, MemberOption> {
  const all = new Map<string, MemberOption>();
  for (const family of topologies) {
    for (const [key, option] of Object.entries(optionsOf(family))) {
      const settable = option.switch === true || option.parse !== undefined;
      if (settable && !all.has(key)) all.set(key, option);
    }
  }
  return all;
}

/**
 * The words of a flag as a value. Topologies may mean different things by one name (--weights best-constant, --weights
 * 0.3,0.2): any text may be a word, so what somebody reads as more than that is taken as such.
 */
function parser(key: string, option: MemberOption): (text: string) => unknown {
  return (text) => {
    const read = topologies
      .map((family) => optionsOf(family)[key]?.parse?.(text))
      .filter((value) => value !== undefined);
    const value = read.find((one) => typeof one !== "string") ?? read[0];
    if (value !== undefined) return value;
    const example = /\d/.test(option.written ?? "") ? `try --${key} ${option.written}` : "write it as 9, 1e6 or 0.5";
    throw new InputError(`${key} must be readable as: ${option.range}`, text, example);
  };
}

/** What was written on the command line, by the topologies' names. */
export type TopologyValues = Readonly<Record<string, unknown>>;

/** Adds --n and the options of all topologies to a command, but for those whose names mean something else in it. */
export function addTopologyOptions(
  command: Command,
  nodes = new Option("--n <N>", "number of nodes").argParser<unknown>(numberOption("n", 300)),
  taken: readonly string[] = [],
): Command {
  command.addOption(nodes);
  for (const [key, option] of flags()) {
    if (taken.includes(key)) continue;
    const help = option.help ?? `${option.range} (${takers(key)})`;
    command.addOption(
      option.switch
        ? new Option(`--${key}`, help)
        : new Option(`--${key} <${option.written ?? key.toUpperCase()}>`, help).argParser(parser(key, option)),
    );
  }
  const named = command.registeredArguments[0]?.name() === "topology";
  const own = named ? `, \`equitopo ${command.name()} NAME --help\` shows those of one` : "";
  return command
    .configureHelp(helpOfFamily)
    .addHelpText("after", () => fittingHelp(`\n\`equitopo list\` says which topology takes which options${own}.`));
}

/** The family that is named beside --help. */
function familyIn({ args }: Command): TopologyFamily | undefined {
  const name = args.find((word) => topologies.has(word));
  return name === undefined ? undefined : topologies.get(name);
}

/** What one family says of its option, and what holds where it is not given. */
function meaningOf({ help, range, default: preset, required }: MemberOption): string {
  const text = help ?? range;
  if (required === true) return `${text} (must be given)`;
  return preset === undefined || preset === false || text.includes("default")
    ? text
    : `${text} (default: ${String(preset)})`;
}

/** Help beside the name of a topology: of all topologies' options its own, as it means them. */
const helpOfFamily: Partial<Help> = {
  commandDescription(command) {
    const family = familyIn(command);
    return family === undefined ? command.description() : `${family.name}: ${family.summary} (${family.source})`;
  },
  visibleOptions(command) {
    const family = familyIn(command);
    const shown = Help.prototype.visibleOptions.call(this, command);
    if (family === undefined) return shown;
    const all = flags();
    const own = optionsOf(family);
    return shown.flatMap((option) => {
      const key = option.attributeName();
      if (!all.has(key)) return [option];
      return key in own ? [new Option(option.flags, meaningOf(own[key]))] : [];
    });
  },
};

/** The topologies that take an option, in words. */
function takers(key: string): string {
  return topologies
    .filter((member) => key in optionsOf(member))
    .map((member) => member.name)
    .join(", ");
}

/** The topology options among all values of a command, n apart. */
export function topologyValues(values: TopologyValues): TopologyValues {
  const given = [...flags().keys()].filter((key) => values[key] !== undefined);
  return Object.fromEntries(given.map((key) => [key, values[key]]));
}

/** n as it was given, or an error that asks for it. */
export function requireN({ n }: { readonly n?: unknown } | TopologyValues): number {
  if (typeof n !== "number") throw new InputError("--n, the number of nodes, must be given", n, "try --n 300");
  return n;
}

/**
 * The topology of that name with all options given; one that it does not take is an error, but for the seed: a script
 * may give it to every topology, whether it draws anything or not.
 */
export function specFromOptions(name: string, values: TopologyValues): TopologySpec {
  const member = topologies.get(name);
  const given = topologyValues(values);
  for (const key of Object.keys(given)) {
    if (key === "seed" || key in optionsOf(member)) continue;
    if (key === "relabel") refuseRelabel(name);
    throw new InputError(`--${key} is an option of ${takers(key)}`, name, `leave out --${key}`);
  }
  return withOptions(name, requireN(values), given, (key) => key in optionsOf(member, given));
}

/**
 * The same where the options are meant for many topologies: each takes those that it knows. A value that is none of its
 * own, and that another topology takes, is meant for that one: --p is a probability for a basis, and a degree elsewhere.
 */
export function specFromSharedOptions(name: string, n: number, given: TopologyValues): TopologySpec {
  const known = optionsOf(topologies.get(name), given);
  return withOptions(name, n, given, (key) => {
    if (!(key in known)) return false;
    const takes = (option: MemberOption | undefined) =>
      option !== undefined && attempt(() => option.check(key, given[key]) ?? true) !== undefined;
    return takes(known[key]) || !topologies.map((member) => optionsOf(member)[key]).some(takes);
  });
}

function withOptions(name: string, n: number, given: TopologyValues, takes: (key: string) => boolean): TopologySpec {
  return { ...Object.fromEntries(Object.entries(given).filter(([key]) => takes(key))), name, n };
}

export const fileFlag = {
  file: word("<FILE>", "your own graph in place of a topology: csv, npy, json or GraphML (- for stdin)"),
};

type Chosen = TopologyValues & { readonly quiet?: true };

/**
 * What a command is about, the topology that was named or the graph in --file: its name and its work, and a function that
 * makes it, with the only round of a static topology, and prints a note on it on stderr if there is one. Options are
 * settled, and refused where there is no room, before anything is made.
 */
export function askedTopology(name: string | undefined, values: Chosen) {
  const { file, n } = values;
  /** Made, with what is said of it. */
  const made = (topology: Topology, meter: Meter, before = "") => {
    if (topology.kind === "static") meter.run(() => topology.round(0));
    if (topology.note !== undefined) note(before + topology.note, values);
    return topology;
  };
  if (typeof file !== "string") {
    if (name === undefined) throw new InputError("a topology must be named", name, "choose one of `equitopo list`");
    const spec = specFromOptions(name, values);
    const make = async (meter: Meter) =>
      made(
        meter.run(() => createTopology(spec)),
        meter,
      );
    return { name, work: requireRoom(spec), make };
  }
  if (name !== undefined) throw new InputError("--file takes the place of a topology", name, "leave out one of them");
  const stray = Object.keys(topologyValues(values)).filter((key) => key !== "seed" && key !== "weights");
  if (stray.length > 0) {
    const rule = "a graph from a file takes no options";
    throw new InputError(rule, `--${stray[0]}`, "leave it out: only --weights goes with it");
  }
  const make = async (meter: Meter) => {
    const { readGraphFile } = await import("./graph-file.ts");
    const topology = made(await readGraphFile(file, { meter, weights: values["weights"] }), meter, `${file}: `);
    if (n === undefined || n === topology.n) return topology;
    throw new InputError(`--n must be the ${topology.n} nodes of ${file}`, n, "leave out --n");
  };
  return { name: file, work: undefined, make };
}

/** The same made, for commands that have other work than its rate. */
export async function chosenTopology(name: string | undefined, values: Chosen): Promise<Topology> {
  const asked = askedTopology(name, values);
  const meter = workMeter(`making ${asked.name}`, asked.work?.building, values);
  const topology = await asked.make(meter);
  meter.end();
  return topology;
}

/**
 * A spec as the words of a command, without options that have their default: "base --n 300 --k 4 --relabel". Undefined if
 * an option has no flag.
 */
export function asFlags({ name, n, ...options }: TopologySpec): string | undefined {
  const known = optionsOf(topologies.get(name), options);
  const given = Object.entries(options).filter(
    ([key, value]) => known[key] !== undefined && value !== known[key].default && value !== false,
  );
  if (given.some(([key]) => known[key].switch !== true && known[key].parse === undefined)) return undefined;
  const words = given.map(([key, value]) =>
    known[key].switch === true ? `--${key}` : `--${key} ${Array.isArray(value) ? value.join() : value}`,
  );
  return [name, `--n ${n}`, ...words].join(" ");
}
