/** Topologies side by side, the numbers: chosen, predicted, measured, and sampled over a network that fails. */

import {
  type Family,
  InputError,
  predictedRounds,
  type Rate,
  type Topology,
  type TopologySpec,
  topologies,
} from "equitopo";
import { candidateSpecs, candidates, costOfAllReduce, type Sample, sampleGossip } from "equitopo/advise";
import { type Gains, gains, watched } from "equitopo/rate";
import { optionsOf } from "equitopo/topology";
import type { Compared } from "./comparison-figure.ts";
import { COLUMNS, type Measured, measureGossip, mostMessages, workOf } from "./measure.ts";
import { showCount } from "./numbers.ts";
import { partsOfGraph } from "./parts.ts";
import type { Progress } from "./progress.ts";
import { requireRoomForAll } from "./rate-work.ts";
import { built, requireN, specFromSharedOptions, type TopologyValues, topologyValues } from "./topology-options.ts";

/** Multiplications spent on measuring one topology unless --max-rounds says otherwise: a few seconds. */
const BUDGET = 2e9;
/** Gains that have to be sampled take a second or so, and more than one table should at larger n. */
const GAINS_UP_TO = 1024;

/** Bytes of a node while one topology is measured: the start, the rows before and after a round, and those handed out. */
const MEASURING = 4 * 8 * COLUMNS;

type Chosen = TopologyValues & { readonly quiet?: true };

export interface ComparisonOptions {
  readonly topologies?: readonly string[];
  readonly all?: true;
  readonly degree?: number;
  readonly file?: string;
  readonly tolerance: number;
  readonly dim: number;
  readonly float32?: true;
  readonly maxRounds?: number;
  readonly faults?: NetworkFaults;
  readonly seed?: number;
}

/** As people say it: messages lost, nodes absent, messages one round old. */
export interface NetworkFaults {
  readonly loss?: number;
  readonly absent?: number;
  readonly stale?: number;
}

export interface RowCost {
  readonly rounds: number;
  readonly bytes: number;
}

export interface Row extends Compared {
  readonly label: string;
  readonly rate: Rate;
  /** Where the graph is not connected. */
  readonly parts?: number;
  /** Absent where they would take long, or there are none. */
  readonly gains?: Gains;
  readonly predicted: RowCost;
  /** null where it was not run, or not to its end. */
  readonly measured: RowCost | null;
  /** Where faults were asked for; null where it cannot be run with them. */
  readonly faulty?: Sample | null;
}

export interface Refusal {
  readonly topology: string;
  readonly reason: string;
}

export interface Contestant {
  readonly topology: Topology;
  readonly label: string;
}

/** Bytes of a vector. */
export const vectorBytes = ({ dim, float32 }: ComparisonOptions) => dim * (float32 ? 4 : 8);

/** One exact mean of a vector, by a ring's all-reduce. */
export function allReduce(n: number, options: ComparisonOptions): RowCost {
  const network = { modelBytes: vectorBytes(options), latency: 0, bandwidth: 1 };
  return { rounds: 1, bytes: costOfAllReduce(n, 1, network).bytes };
}

export async function chosen(
  options: ComparisonOptions & Chosen,
  progress: Progress,
): Promise<{ contestants: Contestant[]; refused: Refusal[] }> {
  const own = await ownGraph(options.file);
  const n = options["n"] === undefined && own !== undefined ? own.topology.n : requireN(options);
  if (own !== undefined && own.topology.n !== n) {
    throw new InputError(`--n must be the ${own.topology.n} nodes of ${options.file}`, n, "leave out --n");
  }
  const families = familiesOf(options);
  const { contestants, refused } = watched(
    () => progress.step(() => "making the topologies ..."),
    () =>
      options.degree === undefined ? withOptions(families, n, options) : ofDegree(families, n, options.degree, options),
  );
  const all = [...(own === undefined ? [] : [own]), ...contestants];
  if (all.length === 0) {
    const [{ topology, reason }] = refused;
    throw new InputError(`${topology} ${reason}`, n, "choose another n or topology");
  }
  return { contestants: all, refused };
}

async function ownGraph(file: string | undefined): Promise<Contestant | undefined> {
  if (file === undefined) return undefined;
  const { readGraphFile } = await import("./graph-file.ts");
  const topology = await readGraphFile(file);
  return { topology, label: topology.name };
}

/** Those named, or all, or (as there are too many rivals for one table) the featured ones beside the paper's own and its baselines. */
function familiesOf({ topologies: names, all }: ComparisonOptions): Family[] {
  if (names !== undefined && all) {
    throw new InputError("--all and --topologies exclude each other", names.join(), "leave out one of them");
  }
  if (names !== undefined) return names.map((name) => topologies.get(name));
  return topologies.filter(({ group, featured }) => all === true || group !== "rival" || featured === true);
}

/** Each with the options that were given and that it takes. */
function withOptions(families: readonly Family[], n: number, options: Chosen) {
  const given = topologyValues(options);
  const names = families.map(({ name }) => name);
  for (const key of Object.keys(given)) {
    // The seed is also that of the start.
    if (key === "seed" || families.some((family) => key in optionsOf(family))) continue;
    throw new InputError(`--${key} must be an option of a topology compared`, names.join(","), `leave out --${key}`);
  }
  const refused: Refusal[] = [];
  const specs = families.flatMap((family) => {
    const reason = Number.isInteger(n) && n >= 2 ? family.refuses?.(n) : undefined;
    if (reason === undefined) return specOf(family, n, given, refused);
    refused.push({ topology: family.name, reason });
    return [];
  });
  if (specs.length > 0) requireRoomForAll(specs, MEASURING, options);
  return { contestants: specs.map((spec) => ({ topology: built(spec), label: spec.name })), refused };
}

/** Nobody asked for this one: where it needs an option that was not given it is left out, and that is no error. */
function specOf(family: Family, n: number, given: TopologyValues, refused: Refusal[]): TopologySpec[] {
  const { name } = family;
  const incomplete = Object.entries(optionsOf(family)).find(
    ([key, option]) => option.required === true && given[key] === undefined,
  );
  if (incomplete === undefined) return [specFromSharedOptions(name, n, given)];
  refused.push({ topology: name, reason: `needs --${incomplete[0]}` });
  return [];
}

/** Each with the options that its family has for that many peers. */
function ofDegree(families: readonly Family[], n: number, degree: number, options: Chosen) {
  // The degree is the table's here, not that of a designed graph.
  const { seed, degree: _, ...stray } = topologyValues(options);
  const [key] = Object.keys(stray);
  if (key !== undefined) {
    throw new InputError("--degree chooses the topologies' options", `--${key}`, `leave out --${key} or --degree`);
  }
  const asked = { n, degree, families, ...(typeof seed === "number" ? { seed } : {}) };
  requireRoomForAll(candidateSpecs(asked), MEASURING, options);
  const { fits, excluded } = candidates(asked);
  return {
    contestants: fits.map(({ topology, label }) => ({ topology, label })),
    refused: excluded.map(({ label, reason }) => ({ topology: label, reason })),
  };
}

export function rowOf(
  { topology, label }: Contestant,
  options: ComparisonOptions,
  where: string,
  progress: Progress,
): Row {
  const { tolerance, seed = 0, maxRounds } = options;
  const vector = vectorBytes(options);
  let done = 0;
  const rate = watched(
    (more) => {
      done += more;
      progress.step(() => `${where}: rate, ${showCount(Math.round(done / 1e6))} million operations so far`);
    },
    () => topology.rate(),
  );
  const rounds = predictedRounds(topology, tolerance);
  // Nobody sends in an empty graph, and 0 times for ever is no number.
  const bytes = rounds === Number.POSITIVE_INFINITY ? rounds : rounds * mostMessages(topology) * vector;
  const parts = partsOfGraph(topology);
  const limit = maxRounds ?? Math.floor(BUDGET / workOf(topology.round(0)));
  // A norm of 1 promises nothing, yet such a graph may agree soon: that one is tried.
  const hopeless = parts > 1 || (rounds > limit && rounds !== Number.POSITIVE_INFINITY);
  const onRound = (t: number) => progress.step(() => `${where}: round ${showCount(t)} of about ${showCount(rounds)}`);
  const run: Measured | null = hopeless
    ? null
    : measureGossip(topology, { tolerance, seed, maxRounds: limit, onRound });
  progress.step(() => `${where}: gains`);
  const found = topology.n <= GAINS_UP_TO ? orNone(() => gains(topology)) : null;
  return {
    topology,
    label,
    rate,
    ...(parts > 1 ? { parts } : {}),
    ...(found === null ? {} : { gains: found }),
    predicted: { rounds, bytes },
    measured: run && { rounds: run.rounds, bytes: run.messages * vector },
    ...(options.faults === undefined ? {} : { faulty: sampled(topology, options.faults, options) }),
  };
}

function sampled(topology: Topology, faults: NetworkFaults, { tolerance, seed = 0 }: ComparisonOptions): Sample | null {
  const { loss = 0, absent = 0, stale = 0 } = faults;
  return orNone(() => sampleGossip(topology, { tolerance, seed, faults: { drop: loss, absent, stale } }));
}

/** What has no gains, or cannot be run with faults at this size, is shown without them. */
function orNone<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
