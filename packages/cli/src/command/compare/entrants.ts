/** What is compared: your own graphs from files, and topologies with the options that were given or that fit a degree. */

import { basename } from "node:path";
import { createTopology, InputError, type Topology, type TopologyFamily, topologies } from "equitopo";
import { candidateSpecs, candidates } from "equitopo/internal/advise";
import { optionsOf } from "equitopo/internal/topology";
import { watched } from "equitopo/rate";
import { attempt } from "../../input/attempt.ts";
import { note } from "../../terminal/output.ts";
import type { Progress } from "../../terminal/progress.ts";
import { requireN, specFromSharedOptions, type TopologyValues, topologyValues } from "../../topology/options.ts";
import { requireRoomForAll } from "../../topology/rate-work.ts";
import { COLUMNS } from "./measure.ts";
import type { ComparisonOptions } from "./options.ts";

/** Bytes of a node while one topology is measured: the start, the rows before and after a round, and those handed out. */
const MEASURING = 4 * 8 * COLUMNS;

/** With --degree a family that draws is drawn so many times: a single draw says little of it. */
export const DRAWS = 5;

type Chosen = TopologyValues & { readonly quiet?: true };

export interface Refusal {
  readonly topology: string;
  readonly reason: string;
}

export interface Contestant {
  /** With the first seed. */
  readonly topology: Topology;
  readonly label: string;
  readonly own?: true;
  /** Of a family that draws, where several seeds are asked for: one for each seed that has one. */
  readonly draws?: ReadonlyMap<number, Topology>;
}

interface Entrants {
  readonly contestants: Contestant[];
  readonly refused: Refusal[];
}

export async function chosen(options: ComparisonOptions & Chosen, progress: Progress): Promise<Entrants> {
  const { file = [], seeds, seed, topologies: names, all } = options;
  if (seeds !== undefined && seed !== undefined) {
    throw new InputError("--seed and --seeds exclude each other", seed, "leave out one of them");
  }
  const own = await ownGraphs(file, options);
  const given = options["n"];
  const other = own.find(({ topology }) => given !== undefined && topology.n !== given);
  if (other !== undefined) {
    throw new InputError(`--n must be the ${other.topology.n} nodes of ${other.label}`, given, "leave out --n");
  }
  const sizes = [...new Set(own.map(({ topology }) => topology.n))].sort((a, b) => a - b);
  // Graphs of several sizes are compared with each other; with others only where these were asked for.
  const alone = sizes.length > 1 && names === undefined && all === undefined;
  const families = familiesOf(options);
  const made = (alone ? [] : sizes.length === 0 ? [requireN(options)] : sizes).map((n) =>
    watched(
      () => progress.step(() => "making the topologies ..."),
      () =>
        options.degree === undefined
          ? withOptions(families, n, options)
          : ofDegree(families, n, options.degree, options),
    ),
  );
  const refused = made.flatMap((one) => one.refused);
  const contestants = [...own, ...made.flatMap((one) => one.contestants)];
  if (contestants.length === 0) {
    const [{ topology, reason }] = refused;
    throw new InputError(`${topology} ${reason}`, given, "choose another n or topology");
  }
  return { contestants, refused };
}

/** Under the names of their files; under their paths, where two have one name. */
async function ownGraphs(files: readonly string[], options: Chosen): Promise<Contestant[]> {
  const twice = files.find((file, k) => files.indexOf(file) < k);
  if (twice !== undefined) throw new InputError("each file is compared once", twice, "name another one");
  if (files.length === 0) return [];
  const { readGraphFile } = await import("../../topology/graph-file.ts");
  const names = files.map((file) => (file === "-" ? "stdin" : basename(file)));
  const found: Contestant[] = [];
  for (const [k, file] of files.entries()) {
    const label = names.filter((name) => name === names[k]).length > 1 ? file : names[k];
    const topology = await readGraphFile(file, { weights: options["weights"] });
    if (topology.note !== undefined) note(`${label}: ${topology.note}`, options);
    found.push({ topology, label, own: true });
  }
  return found;
}

/** Those named, or all, or (as there are too many rivals for one table) the featured ones beside the paper's own and its baselines. */
function familiesOf({ topologies: names, all }: ComparisonOptions): TopologyFamily[] {
  if (names !== undefined && all) {
    throw new InputError("--all and --topologies exclude each other", names.join(), "leave out one of them");
  }
  if (names !== undefined) return names.map((name) => topologies.get(name));
  return topologies.filter(({ group, featured }) => all === true || group !== "rival" || featured === true);
}

/** Each with the options that were given and that it takes. */
function withOptions(families: readonly TopologyFamily[], n: number, options: ComparisonOptions & Chosen): Entrants {
  const given = topologyValues(options);
  const names = families.map(({ name }) => name);
  for (const key of Object.keys(given)) {
    // The seed is also that of the start, and weights may be meant for a file's graph.
    if (key === "seed" || (key === "weights" && options.file !== undefined)) continue;
    if (families.some((family) => key in optionsOf(family))) continue;
    throw new InputError(`--${key} must be an option of a topology compared`, names.join(","), `leave out --${key}`);
  }
  const [first] = options.seeds ?? [undefined];
  const settled = first === undefined ? given : { ...given, seed: first };
  /** Nobody asked for this one: where it needs an option that was not given it is left out, and that is no error. */
  const reasonOf = (family: TopologyFamily): string | undefined => {
    const reason = Number.isInteger(n) && n >= 2 ? family.refuses?.(n) : undefined;
    const missing = Object.entries(optionsOf(family)).find(
      ([key, { required }]) => required && settled[key] === undefined,
    );
    return reason ?? (missing && `needs --${missing[0]}`);
  };
  const all = families.map((family) => ({ topology: family.name, reason: reasonOf(family) }));
  const refused = all.filter((one): one is Refusal => one.reason !== undefined);
  const specs = all
    .filter(({ reason }) => reason === undefined)
    .map(({ topology }) => specFromSharedOptions(topology, n, settled));
  if (specs.length > 0) requireRoomForAll(specs, MEASURING, options);
  const contestants = specs.map((spec): Contestant => {
    const one = { topology: createTopology(spec), label: spec.name };
    if (options.seeds === undefined || spec["seed"] === undefined) return one;
    return { ...one, draws: drawn(options.seeds, (seed) => createTopology({ ...spec, seed })) };
  });
  return { contestants, refused };
}

/** What is refused with some seed (no draw was connected) is left out. */
function drawn(seeds: readonly number[], make: (seed: number) => Topology | undefined): Map<number, Topology> {
  const found = seeds.map((seed) => [seed, attempt(() => make(seed))] as const);
  return new Map(found.filter((one): one is readonly [number, Topology] => one[1] !== undefined));
}

/** Each with the options that its family has for that many peers; those that draw, several times. */
function ofDegree(
  families: readonly TopologyFamily[],
  n: number,
  degree: number,
  options: ComparisonOptions & Chosen,
): Entrants {
  // The degree is the table's here, not that of a designed graph.
  const { seed: given = 0, degree: _, ...stray } = topologyValues(options);
  const [key] = Object.keys(stray);
  if (key !== undefined) {
    throw new InputError("--degree chooses the topologies' options", `--${key}`, `leave out --${key} or --degree`);
  }
  const seeds = options.seeds ?? Array.from({ length: DRAWS }, (_, k) => (given as number) + k);
  const asked = { n, degree, families, seed: seeds[0] };
  requireRoomForAll(candidateSpecs(asked), MEASURING, options);
  const { fits, excluded } = candidates(asked);
  const drawing = [...new Set(fits.map(({ family }) => family))].filter((family) => "seed" in optionsOf(family));
  const bySeed = new Map(seeds.slice(1).map((seed) => [seed, candidates({ n, degree, families: drawing, seed }).fits]));
  return {
    contestants: fits.map(({ family, topology, label }): Contestant => {
      if (!drawing.includes(family)) return { topology, label };
      const draw = (seed: number) =>
        seed === seeds[0] ? topology : bySeed.get(seed)?.find((one) => one.label === label)?.topology;
      return { topology, label, draws: drawn(seeds, draw) };
    }),
    refused: excluded.map(({ label, reason }) => ({ topology: label, reason })),
  };
}
