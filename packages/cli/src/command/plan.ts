/** `equitopo plan`: a topology as a small JSON file that is good for every round, for programs in other languages. */

import type { Command } from "commander";
import { createTopology, expandSpec, InputError, type Plan, planOf, type Topology, topologies } from "equitopo";
import { defined } from "equitopo/internal/input";
import { rateWork, staticWork } from "equitopo/topology";
import { contextOf } from "../run/context.ts";
import { readSpecFile } from "../spec-file.ts";
import { type CommonOptions, type Given, whole, word } from "../terminal/flags.ts";
import { note, print, writeAtomically } from "../terminal/output.ts";
import {
  addTopologyOptions,
  chosenTopology,
  fileFlag,
  type TopologyValues,
  topologyValues,
} from "../topology/options.ts";
import { judgedBy, outerFlags, requireRule } from "./rate/outer.ts";

export const flags = {
  ...fileFlag,
  out: word("<FILE>", "write to a file, which appears whole or not at all"),
  only: whole("<K>", "the topology of this run of the spec, from 0", 0, 2),
  data: word("<DIR>", "of a spec: the folder of data sets"),
  ...outerFlags,
  outer: word("<RULE>", "also the verdict on this rule of local steps (noloco, gasloc ...)"),
  rounds: whole("<M>", "with --outer: rounds in an outer step", 1, 2),
  written: whole("<M>", "rounds that are written out where a plug-in's say nothing else (default: 1000)", 1, 1000),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const words = { "[topology]": "a name of `equitopo list`, or the file of a spec" };

export const define = (command: Command) => addTopologyOptions(command);

export const help = `
A plan says what draws the rounds, not the rounds: it has some kilobytes, and gives every round to the same bits. Python reads
it with equitopo.load("graph.json"); every command reads it where it reads graphs (--file graph.json, or name: file in a spec).
rate is null where it would take long: \`equitopo rate\` finds it. --outer adds the verdict on a rule of local steps, as \`equitopo
rate --outer\` has it: Python refuses rules that make disagreement grow.

Examples:
  equitopo plan torus --n 16 --out graph.json
  equitopo plan base --n 300 --k 2 --relabel --out graph.json
  equitopo plan hierarchy --n 32 --groups 8 --between ou-equidyn --out graph.json
  equitopo plan spec.yaml --only 2 --out graph.json              the graph of one run of a spec
  equitopo plan ring --n 16 --outer noloco --outer-momentum 0.9 --out graph.json
  equitopo plan --file mine.csv --out graph.json                 your own weights
`;

/** A rate that takes longer is left out. */
const LONG_SECONDS = 3;

export async function act(name: string | undefined, options: Options & TopologyValues): Promise<void> {
  requireRule(options);
  if (options.outer === undefined && options.rounds !== undefined) {
    throw new InputError("--rounds goes with --outer", options.rounds, "leave it out: a plan is good for every round");
  }
  const topology = isSpec(name) ? await ofSpec(name, options) : await ofName(name, options);
  const { spec } = topology;
  const work = (topologies.has(spec.name) ? rateWork(spec) : undefined) ?? staticWork(topology);
  const plan = planOf(topology, {
    rate: (work?.seconds ?? 0) <= LONG_SECONDS,
    ...defined({ rounds: options.written }),
  });
  const lines = Object.entries({ ...plan, ...verdictOf(topology, options) }).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  const text = `{\n${lines.join(",\n")}\n}\n`;
  if (options.out === undefined) return print([text]);
  await writeAtomically(options.out, [text]);
  note(`plan of ${topology.name}, n = ${topology.n}, written to ${options.out}`, options);
}

/** Whether a rule of local steps is stable over it: outside the hash, as it says nothing of the rounds. */
function verdictOf(topology: Topology, options: Options): Pick<Plan, "outer"> {
  if (options.outer === undefined) return {};
  const { rule, stable, largest } = judgedBy(topology, options);
  const { name, steps: _steps, inner: _inner, ...settings } = rule;
  // Who reads this need not know what it is worked out from.
  const pull = settings["pull"] === "auto" ? { pull: settings["outerRate"] } : {};
  return { outer: { rule: name, settings: { ...settings, ...pull }, stable, largest } };
}

const isSpec = (name: string | undefined): name is string => /\.(ya?ml|json|m?js)$/i.test(name ?? "");

async function ofName(name: string | undefined, options: Options & TopologyValues): Promise<Topology> {
  if (options.only === undefined) return chosenTopology(name, options);
  throw new InputError("--only picks a run of a spec", name, "leave it out");
}

async function ofSpec(path: string, options: Options & TopologyValues): Promise<Topology> {
  const stray = [...["n", "file"].filter((key) => options[key] !== undefined), ...Object.keys(topologyValues(options))];
  if (stray.length > 0) throw new InputError("a spec says all of its topologies", `--${stray[0]}`, "leave it out");
  const runs = expandSpec(await readSpecFile(path), contextOf(options));
  const { only } = options;
  if (only !== undefined) {
    if (runs[only] !== undefined) return createTopology(runs[only].topology);
    throw new InputError(`the spec has runs 0 to ${runs.length - 1}`, only, "try --only 0");
  }
  // The seeds of a spec may draw several graphs of one entry.
  const labels = new Map(runs.map(({ topology, label }) => [JSON.stringify(topology), label]));
  if (labels.size === 1) return createTopology(runs[0].topology);
  const rule = `the runs of the spec must have one topology, and have ${labels.size}`;
  throw new InputError(rule, [...labels.values()].join(", "), "choose a run with --only K, K = 0 being the first");
}
