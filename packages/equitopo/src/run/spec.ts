/**
 * One readable document that describes runs: topologies x algorithms over a problem, or an explicit list of runs, each
 * repeated for every seed. Plain JSON; everything but the names has a sensible default. In a program, objects may stand
 * in the place of names (own.ts).
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { requireFit } from "../algorithm/fit.ts";
import { type AlgorithmSpec, algorithms, createAlgorithm } from "../algorithm/registry.ts";
import { checkLatency, type Latency } from "../faults/latency.ts";
import { type LiarFaults, liarsAmong } from "../faults/liars.ts";
import { InputError, inside, integer, oneOf, onlyKeys, real } from "../input/input.ts";
import type { Problem, ProblemContext } from "../problem/problem.ts";
import { checkProblem, type ProblemSpec, problems } from "../problem/registry.ts";
import type { DefenceSpec } from "../robust/defence.ts";
import { createTopology, optionsOf, topologies } from "../topology/registry.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import { type AsyncMode, type ModeKeys, modeKeys, requireAsync, settleMode } from "./async/mode.ts";
import { type HierarchyKeys, hierarchyKeys, requireGroupable, withHierarchy } from "./hierarchy.ts";
import { requireAttackable } from "./liars.ts";
import { isAlgorithm, isProblem, isTopology, nameAlgorithm, nameProblem, nameTopology } from "./own.ts";
import { robustFor } from "./robust.ts";

/** The format of specs; a document may say which one it is written in. */
export const specVersion = 1;

/** What a user writes. */
export interface SpecDocument extends HierarchyKeys, ModeKeys {
  readonly version?: number;
  readonly title?: string;
  /** Members of your own that the names below may mean: files that the command line loads, pinned by their bytes. */
  readonly plugins?: readonly PluginEntry[];
  readonly topologies?: readonly (Labelled<TopologySpec> | Topology)[];
  readonly algorithms?: readonly (Labelled<AlgorithmEntry> | Algorithm)[];
  readonly problem?: ProblemEntry | Problem;
  /** Explicit combinations, where each has its own learning rate or problem. */
  readonly runs?: readonly RunEntry[];
  /** Updates to do (default 200), or passes over the data where the problem has such a thing. */
  readonly rounds?: number;
  readonly epochs?: number;
  readonly seeds?: readonly number[];
  /** Metrics are taken after every so many updates. */
  readonly every?: number;
  /** The problem's evaluation, after so many updates: a number, "every epoch" (default), "every 5 epochs", "at the end". */
  readonly evaluate?: number | string;
  readonly latency?: Latency;
  /** Lost on purpose, and said wrongly on purpose, in the simulator and by real peers alike. */
  readonly faults?: RunFaults;
  /** Mixing that withstands nodes which send wrong numbers (robust.ts): { kind: clip | trim | guard, ... }. */
  readonly robust?: DefenceSpec;
  readonly type?: "float64" | "float32";
  /** On a GPU: `mixed` multiplies halves; models and sums stay float32 (docs/gpu.md). Default float32. */
  readonly precision?: "float32" | "mixed";
}

export interface RunFaults extends LiarFaults {
  /** The share of messages (in undirected rounds: of exchanges) that are lost. */
  readonly drop?: number;
}

export interface PluginEntry {
  readonly file: string;
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A member by its name, or the member itself, with its learning rate and options. */
type AlgorithmEntry = AlgorithmSpec | (Omit<AlgorithmSpec, "name"> & { readonly name: Algorithm });

/** Its n is the topology's. */
type ProblemEntry = Omit<ProblemSpec, "n"> & { readonly name: string; readonly n?: number };
type Labelled<T> = T & { readonly label?: string };

export interface RunEntry {
  readonly label?: string;
  readonly topology: TopologySpec | Topology;
  readonly algorithm: AlgorithmEntry | Algorithm;
  readonly problem?: ProblemEntry | Problem;
  readonly rounds?: number;
  readonly epochs?: number;
}

/** One run of one seed, complete: whoever has it can do the run alone. */
export interface RunSpec extends Partial<AsyncMode> {
  readonly label: string;
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem: ProblemSpec;
  readonly rounds: number;
  readonly seed: number;
  readonly every: number;
  /** Updates between two evaluations, where the problem has any; after the last there is always one. */
  readonly evaluate?: number;
  readonly type: "float64" | "float32";
  /** Where it is not the type's own. */
  readonly precision?: "mixed";
  readonly latency?: Latency;
  readonly faults?: RunFaults;
  readonly robust?: DefenceSpec;
  /** The SHA-256 of each plug-in that the names may mean: runs are the same only where these are. */
  readonly plugins?: readonly string[];
}

const keys = [
  ...["title", "topologies", "algorithms", "problem", "runs", "rounds", "epochs", "seeds", "every"],
  ...["evaluate", "latency", "faults", "robust", "type", "precision", "version", "plugins"],
  ...hierarchyKeys,
  ...modeKeys,
];

/**
 * Every run that a document asks for, checked from end to end: names, options, sizes, and whether the algorithm fits the
 * topology. Errors name the path in the document. `context` has the files of data sets, where a problem reads any.
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * const runs = expandSpec({
 *   topologies: [{ name: "ou-equidyn", n: 17 }, { name: "ring", n: 17 }],
 *   algorithms: [{ name: "dsgt", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 *   seeds: [5, 6],
 * });
 * runs.map((run) => `${run.label} ${run.seed}`).join(", ") // => "ou-equidyn 5, ou-equidyn 6, ring 5, ring 6"
 * ```
 */
export function expandSpec(document: SpecDocument, context: ProblemContext = {}): RunSpec[] {
  if (!isObject(document)) {
    const rule = `a spec must be an object with the keys ${keys.join(", ")}`;
    throw new InputError(rule, document, "begin with topologies: [...]");
  }
  onlyKeys("a spec", document, keys);
  const { title, version = specVersion } = document;
  if (version !== specVersion) {
    const age = Number(version) > specVersion ? "a newer" : "an unknown";
    throw new InputError(
      `version must be ${specVersion}, this is ${age} format of specs`,
      version,
      "use the equitopo that it was written for, or write it anew",
    );
  }
  if (title !== undefined && typeof title !== "string") {
    throw new InputError("title must be a text", title, "put it in quotes");
  }
  const seeds = document.seeds ?? [0];
  requireList("seeds", seeds).forEach((seed, k) => {
    integer(`seeds[${k}]`, seed, 0);
  });
  const every = integer("every", document.every ?? 1, 1);
  const type = oneOf("type", document.type ?? "float64", ["float64", "float32"]);
  const precision = oneOf("precision", document.precision ?? "float32", ["float32", "mixed"]);
  if (precision === "mixed" && type !== "float32") {
    throw new InputError("precision mixed keeps models in float32", `type: ${type}`, "write type: float32");
  }
  const { latency, faults, robust } = document;
  if (faults !== undefined) checkFaults(faults);
  const mode = settleMode(document);
  const plugins = document.plugins?.map(({ sha256 }) => sha256) ?? [];
  const common = {
    ...(precision === "mixed" ? { precision } : {}),
    ...(latency === undefined ? {} : { latency }),
    ...(faults === undefined ? {} : { faults }),
    ...(robust === undefined ? {} : { robust }),
    ...mode,
    ...(plugins.length === 0 ? {} : { plugins }),
  };
  return distinct(entriesOf(withHierarchy(document))).flatMap(({ paths, entry }) => {
    if (latency !== undefined) checkSpecLatency(entry.topology.n, latency);
    return seeds.map((seed) => {
      const { epoch, ...run } = checkRun(document, paths, entry, seed, context);
      if (mode !== undefined) inside(paths.algorithm, () => requireAsync(algorithms.get(run.algorithm.name), mode));
      return { ...run, ...lengthOf(document, entry, paths, epoch), seed, every, type, ...common };
    });
  });
}

/** How many updates a run has, and after how many it is evaluated. */
function lengthOf(document: SpecDocument, entry: Place["entry"], paths: Paths, epoch: number | undefined) {
  // What stands beside the run goes before what stands for all.
  const own = entry.rounds === undefined && entry.epochs === undefined ? document : entry;
  if (own.rounds !== undefined && own.epochs !== undefined) {
    const both = `rounds: ${own.rounds}, epochs: ${own.epochs}`;
    throw new InputError("a run is rounds or epochs long", both, "leave out one");
  }
  // Asynchronous rounds are evaluated at the end (async/mode.ts).
  const asked = document.mode === "async" ? "at the end" : document.evaluate;
  const evaluate = asked === undefined ? undefined : updatesBetween(asked, epoch);
  const evaluated = evaluate ?? epoch;
  const common = evaluated === undefined ? {} : { evaluate: evaluated };
  if (own.epochs === undefined) return { rounds: integer(paths.rounds, own.rounds ?? 200, 0), ...common };
  const epochs = integer(paths.rounds.replace("rounds", "epochs"), own.epochs, 0);
  return { rounds: epochs * requireEpoch("epochs", own.epochs, epoch), ...common };
}

function requireEpoch(name: string, value: unknown, epoch: number | undefined): number {
  if (epoch !== undefined) return epoch;
  throw new InputError(`${name} needs a problem with epochs`, value, "say how many updates instead");
}

/** Updates between evaluations; undefined: at the end only. */
function updatesBetween(evaluate: number | string, epoch: number | undefined): number | undefined {
  if (typeof evaluate === "number") return integer("evaluate", evaluate, 1);
  if (evaluate === "at the end") return Number.MAX_SAFE_INTEGER;
  const words = /^every (?:([1-9]\d*) )?epochs?$/.exec(String(evaluate));
  if (words !== null) return Number(words[1] ?? 1) * requireEpoch("evaluate", evaluate, epoch);
  throw new InputError(
    "evaluate must be a number of updates, or in words",
    evaluate,
    'try "every epoch", "every 5 epochs" or "at the end"',
  );
}

function checkFaults(faults: RunFaults): void {
  requireObject("faults", faults, "a share drop, or liars and their attack");
  inside("faults", () => {
    onlyKeys("faults", faults, ["drop", "liars", "attack"]);
    real("drop", faults.drop ?? 0, { min: 0, max: 1, open: "max" }, 0.05);
  });
}

/** Where the parts of a run stand in the document. */
interface Paths {
  readonly topology: string;
  readonly algorithm: string;
  readonly problem: string;
  readonly rounds: string;
}

interface Place {
  readonly paths: Paths;
  readonly entry: Pick<RunEntry, "rounds" | "epochs"> & {
    readonly label: string;
    readonly topology: TopologySpec;
    readonly algorithm: AlgorithmSpec;
    readonly problem: ProblemEntry;
  };
}

/** Whether a document holds objects in the place of names: its runs can be done in this process only. */
export function holdsObjects({ topologies = [], algorithms = [], problem, runs = [] }: SpecDocument): boolean {
  const parts = [
    ...topologies.map(isTopology),
    ...algorithms.map((entry) => isAlgorithm(entry) || isAlgorithm(entry.name)),
    isProblem(problem),
  ];
  return (
    parts.includes(true) ||
    runs.some(({ topology, algorithm, problem: own }) => {
      return holdsObjects({
        topologies: [topology],
        algorithms: [algorithm],
        ...(own === undefined ? {} : { problem: own }),
      });
    })
  );
}

const topologyEntry = (entry: Labelled<TopologySpec> | Topology): Labelled<TopologySpec> =>
  isTopology(entry) ? { name: nameTopology(entry), n: entry.n } : entry;

const problemEntry = (entry: ProblemEntry | Problem): ProblemEntry =>
  isProblem(entry) ? { name: nameProblem(entry) } : entry;

function algorithmEntry(entry: Labelled<AlgorithmEntry> | Algorithm): Labelled<AlgorithmSpec> {
  if (isAlgorithm(entry)) return { name: nameAlgorithm(entry) };
  return isAlgorithm(entry.name) ? { ...entry, name: nameAlgorithm(entry.name) } : (entry as AlgorithmSpec);
}

function entriesOf(document: SpecDocument): Place[] {
  const { runs, topologies, algorithms } = document;
  const problem = isObject(document.problem) ? problemEntry(document.problem) : document.problem;
  if (runs !== undefined) {
    if (topologies !== undefined || algorithms !== undefined) {
      throw new InputError("a spec has either runs or topologies and algorithms", "both", "leave out one of them");
    }
    return requireList("runs", runs).map((entry, k) => {
      const path = `runs[${k}]`;
      requireObject(path, entry);
      inside(path, () => onlyKeys("a run", entry, ["label", "topology", "algorithm", "problem", "rounds", "epochs"]));
      const chosen = isObject(entry.problem) ? problemEntry(entry.problem) : (entry.problem ?? problem);
      const paths = {
        topology: `${path}.topology`,
        algorithm: `${path}.algorithm`,
        problem: entry.problem === undefined ? "problem" : `${path}.problem`,
        rounds: entry.rounds === undefined ? "rounds" : `${path}.rounds`,
      };
      requireObject(paths.topology, entry.topology);
      requireObject(paths.algorithm, entry.algorithm);
      requireObject(paths.problem, chosen);
      const topology = topologyEntry(entry.topology);
      const algorithm = algorithmEntry(entry.algorithm);
      const label = entry.label ?? `${topology.name} ${algorithm.name}`;
      return { paths, entry: { ...entry, label, topology, algorithm, problem: chosen } };
    });
  }
  requireObject("problem", problem);
  const methods = requireList("algorithms", algorithms);
  return requireList("topologies", topologies).flatMap((topology, j) =>
    methods.map((algorithm, k) => {
      requireObject(`topologies[${j}]`, topology);
      requireObject(`algorithms[${k}]`, algorithm);
      const { label: graphLabel, ...graph } = topologyEntry(topology);
      const { label: methodLabel, ...method } = algorithmEntry(algorithm);
      const topologyLabel = graphLabel ?? graph.name;
      const algorithmLabel = methodLabel ?? method.name;
      const label =
        methods.length === 1
          ? topologyLabel
          : topologies!.length === 1
            ? algorithmLabel
            : `${topologyLabel} ${algorithmLabel}`;
      const paths = {
        topology: `topologies[${j}]`,
        algorithm: `algorithms[${k}]`,
        problem: "problem",
        rounds: "rounds",
      };
      return { paths, entry: { label, topology: graph, algorithm: method, problem } };
    }),
  );
}

/**
 * Runs of one label are repeats of each other. So what differs is added to labels that would otherwise be the same: two
 * rings become "ring n=17" and "ring n=33".
 */
function distinct(places: readonly Place[]): Place[] {
  const settings = places.map(({ entry: { topology, algorithm, problem, rounds } }) => {
    const all = { ...topology, ...algorithm, ...problem, n: topology.n, rounds };
    return new Map<string, unknown>(
      Object.entries({ ...all, name: topology.name, algorithm: algorithm.name, problem: problem.name }),
    );
  });
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const labels = places.map(({ entry: { label } }, k) => {
    const alike = settings.filter((_, j) => places[j].entry.label === label);
    const own = [...settings[k]].filter(
      ([key, value]) => value !== undefined && alike.some((other) => text(other.get(key)) !== text(value)),
    );
    return [label, ...own.map(([key, value]) => `${key}=${text(value)}`)].join(" ");
  });
  return places.map(({ paths, entry }, k) => {
    const before = labels.slice(0, k).filter((label) => label === labels[k]).length;
    return { paths, entry: { ...entry, label: before === 0 ? labels[k] : `${labels[k]} #${before + 1}` } };
  });
}

function checkSpecLatency(n: number, latency: Latency): void {
  requireObject("latency", latency, "numbers alpha and beta");
  inside("latency", () => checkLatency(n, latency));
}

/** Builds everything once, so that nothing is refused after the first round. */
function checkRun(
  { robust, faults = {} }: SpecDocument,
  paths: Paths,
  entry: Place["entry"],
  seed: number,
  context: ProblemContext,
) {
  const topology = inside(paths.topology, () => {
    const seeded = "seed" in optionsOf(topologies.get(entry.topology.name), entry.topology);
    return createTopology(seeded ? { seed, ...entry.topology } : entry.topology);
  });
  const { n } = topology;
  const { problem, epoch } = inside(paths.problem, () => {
    const { n: given = n } = entry.problem;
    if (given !== n) throw new InputError(`n must be the topology's, ${n}`, given, "leave it out");
    const seeded = "seed" in problems.get(entry.problem.name).options;
    const spec: ProblemSpec = { ...(seeded ? { seed } : {}), ...entry.problem, n };
    return { problem: spec, epoch: checkProblem(spec, context).epoch };
  });
  const optimiser = inside(paths.algorithm, () => {
    return createAlgorithm(entry.algorithm, { n, ...(epoch === undefined ? {} : { epoch }) });
  });
  inside(`${paths.topology} with ${paths.algorithm}`, () => {
    requireFit(optimiser.algorithm, topology);
    requireGroupable(topology, optimiser, { robust, faults });
  });
  if (robust !== undefined) inside("robust", () => robustFor(robust, optimiser, topology));
  inside("faults", () => requireAttackable(liarsAmong(faults, n, seed), optimiser, problem.name));
  return { label: entry.label, topology: topology.spec, algorithm: entry.algorithm, problem, epoch };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireObject<T>(path: string, value: T | undefined, having = "a name"): asserts value is T {
  const remedy = value === undefined ? "say which" : "put it in { }";
  if (!isObject(value)) throw new InputError(`${path} must be an object with ${having}`, value, remedy);
}

function requireList<T>(path: string, value: readonly T[] | undefined): readonly T[] {
  if (Array.isArray(value) && value.length > 0) return value;
  const remedy = value === undefined || Array.isArray(value) ? "add one" : "put it in [ ]";
  throw new InputError(`${path} must be a list with at least one entry`, value, remedy);
}
