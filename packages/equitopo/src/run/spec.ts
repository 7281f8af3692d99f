/**
 * One readable document that describes runs: topologies x algorithms over a problem, or an explicit list of runs, each
 * repeated for every seed. Plain JSON; everything but the names has a sensible default. A program may use objects instead of
 * names (own.ts).
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { requireFit } from "../algorithm/fit.ts";
import { type AlgorithmChoice, type AlgorithmSpec, createAlgorithm } from "../algorithm/registry.ts";
import { checkLatency } from "../faults/latency.ts";
import { liarsAmong } from "../faults/liars.ts";
import { defined, InputError, inside, integer, oneOf, onlyKeys, real } from "../input/input.ts";
import type { Problem, ProblemContext } from "../problem/problem.ts";
import { checkProblem, type ProblemChoice, type ProblemSpec, problems } from "../problem/registry.ts";
import { type FileSpec, readable, shortName } from "../topology/file.ts";
import { createTopology, optionsOf, type TopologyChoice, topologies } from "../topology/registry.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import { type ModeKeys, modeKeys, settleMode } from "./async/mode.ts";
import { driverOf, requireFeatures } from "./features/driver.ts";
import { featuresIn } from "./features/feature.ts";
import { type HierarchyKeys, hierarchyKeys, withHierarchy } from "./hierarchy.ts";
import { isAlgorithm, isProblem, isTopology, nameAlgorithm, nameProblem, nameTopology } from "./own.ts";
import { robustFor } from "./robust.ts";
import type { RunFaults, RunSpec } from "./run-spec.ts";
import { type Length, lengthName, updatesOf } from "./simulation-options.ts";

export type { RunFaults, RunSpec };

/** The format of specs, which a document may state. */
export const specVersion = 1;

/** What a program writes: the compiler knows the names and options of the library's members, and declared ones. */
export interface SpecDocument extends DocumentOf<KnownTopology, KnownAlgorithm, KnownProblem> {}

type KnownTopology = TopologyChoice | FileSpec | Own<Topology>;
type KnownAlgorithm = AlgorithmChoice | OwnAlgorithm | Own<Algorithm>;
type KnownProblem = ProblemChoice | Own<Problem>;

/** What a file may hold, whose names and options expandSpec looks up. */
type WrittenDocument = DocumentOf<TopologyEntry, AlgorithmEntry, ProblemEntry | Problem>;

type TopologyEntry = TopologySpec | FileSpec | Topology;
type AlgorithmEntry = AlgorithmSpec | OwnAlgorithm | Algorithm;

/** A document that names topologies T, algorithms A and problems P. */
interface DocumentOf<T, A, P> extends HierarchyKeys, ModeKeys, Length, Pick<RunSpec, "latency" | "faults" | "robust"> {
  readonly version?: number;
  readonly title?: string;
  /** What it is for, in a sentence or two; a room shows it to the people who are invited. */
  readonly description?: string;
  /** Plug-ins whose members the names below may mean: files that the command line loads, pinned by their bytes. */
  readonly plugins?: readonly PluginEntry[];
  readonly topologies?: readonly Labelled<T>[];
  readonly algorithms?: readonly Labelled<A>[];
  readonly problem?: P;
  /** Explicit combinations, each of which may have its own learning rate or problem. */
  readonly runs?: readonly EntryOf<T, A, P>[];
  /** Instead of `updates` (default 200): passes over the data, if the problem has data. */
  readonly epochs?: number;
  readonly seeds?: readonly number[];
  /** Metrics are taken after every so many updates. */
  readonly every?: number;
  /** The problem's evaluation, after so many updates: a number, "every epoch" (default), "every 5 epochs", "at the end". */
  readonly evaluate?: number | string;
  readonly type?: "float64" | "float32";
  /** On a GPU: `mixed` multiplies halves; models and sums stay float32 (docs/gpu.md). Default float32. */
  readonly precision?: "float32" | "mixed";
}

export interface PluginEntry {
  readonly file: string;
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** An object of a program. Its name may be any text, beside which the compiler would let every name pass. */
type Own<T> = Omit<T, "name">;

/** An object of a program with its learning rate and options. */
type OwnAlgorithm = Omit<AlgorithmSpec, "name"> & { readonly name: Algorithm };

/** Its n is the topology's. */
type ProblemEntry = Omit<ProblemSpec, "n"> & { readonly name: string; readonly n?: number };
type Labelled<T> = T & { readonly label?: string };

export interface RunEntry extends EntryOf<KnownTopology, KnownAlgorithm, KnownProblem> {}

interface EntryOf<T, A, P> extends Length {
  readonly label?: string;
  readonly topology: T;
  readonly algorithm: A;
  readonly problem?: P;
  readonly epochs?: number;
}

const keys = [
  ...["title", "description", "topologies", "algorithms", "problem", "runs", "updates", "rounds", "epochs", "seeds"],
  ...["every", "evaluate", "latency", "faults", "robust", "type", "precision", "version", "plugins"],
  ...hierarchyKeys,
  ...modeKeys,
];

const entryKeys = ["label", "topology", "algorithm", "problem", "updates", "rounds", "epochs"];

/**
 * A document from a file or from elsewhere: an object with the keys of a spec, in this format. The names and options in it,
 * which the compiler has not seen, are looked up by expandSpec.
 *
 * @example
 * ```ts
 * import { expandSpec, parseSpec } from "equitopo";
 * const text = '{ "topologies": [{ "name": "ring", "n": 8 }], "algorithms": [{ "name": "dsgt" }] }';
 * const document = parseSpec({ ...JSON.parse(text), problem: { name: "least-squares" } });
 * expandSpec(document)[0].label // => "ring"
 * ```
 */
export function parseSpec(document: unknown): SpecDocument {
  if (!isObject(document)) {
    const rule = `a spec must be an object with the keys ${keys.join(", ")}`;
    throw new InputError(rule, document, "begin with topologies: [...]");
  }
  onlyKeys("a spec", document, keys);
  const { title, description, version = specVersion } = document as SpecDocument;
  if (version !== specVersion) {
    const age = Number(version) > specVersion ? "a newer" : "an unknown";
    const rule = `version must be ${specVersion}, this is ${age} format of specs`;
    throw new InputError(rule, version, "use the equitopo that it was written for, or write it anew");
  }
  for (const [key, value] of Object.entries({ title, description })) {
    if (value !== undefined && typeof value !== "string") {
      throw new InputError(`${key} must be a text`, value, "put it in quotes");
    }
  }
  return document;
}

/**
 * Every run that a document asks for, checked completely: names, options, sizes, and whether the algorithm fits the topology.
 * Errors name the path in the document. `context` has the files of data sets, if the problem reads any.
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
export function expandSpec(written: SpecDocument, context: ProblemContext = {}): RunSpec[] {
  const document = parseSpec(written) as WrittenDocument;
  const seeds = document.seeds ?? [0];
  for (const [k, seed] of requireList("seeds", seeds).entries()) integer(`seeds[${k}]`, seed, 0);
  const every = integer("every", document.every ?? 1, 1);
  const type = oneOf("type", document.type ?? "float64", ["float64", "float32"]);
  const precision = oneOf("precision", document.precision ?? "float32", ["float32", "mixed"]);
  if (precision === "mixed" && type !== "float32") {
    throw new InputError("precision mixed keeps models in float32", `type: ${type}`, "write type: float32");
  }
  const { latency, faults, robust } = document;
  if (faults !== undefined) {
    requireObject("faults", faults, "a share drop, or liars and their attack");
    inside("faults", () => onlyKeys("faults", faults, ["drop", "liars", "attack"]));
    inside("faults", () => real("drop", faults.drop ?? 0, { min: 0, max: 1, open: "max" }, 0.05));
  }
  const mode = settleMode(document);
  const plugins = document.plugins?.length ? document.plugins.map(({ sha256 }) => sha256) : undefined;
  const exact = precision === "mixed" ? precision : undefined;
  const common = defined({ precision: exact, latency, faults, robust, ...mode, plugins });
  return distinct(entriesOf(withHierarchy(document))).flatMap(({ paths, entry }) => {
    requireObject("latency", latency ?? {}, "numbers alpha and beta");
    if (latency !== undefined) inside("latency", () => checkLatency(entry.topology.n, latency));
    // A seed that is written twice is the same run twice, and counts once.
    return [...new Set(seeds)].map((seed) => {
      const { run, epoch, topology, optimiser } = checkRun(paths, entry, seed, context);
      const spec = { ...run, ...lengthOf(document, entry, paths, epoch), seed, every, type, ...common };
      const liars = inside("faults", () => liarsAmong(faults ?? {}, topology.n, seed));
      inside(`${paths.topology} with ${paths.algorithm}`, () => {
        // The precision is checked once the driver is chosen.
        const parts = { ...spec, precision: undefined, topology, optimiser, liars, problem: run.problem.name };
        requireFeatures(driverOf("simulator", spec), featuresIn(parts));
      });
      if (robust !== undefined) inside("robust", () => robustFor(robust, optimiser, topology));
      return spec;
    });
  });
}

/** How many updates a run has, and how many lie between evaluations. */
function lengthOf(document: WrittenDocument, entry: Place["entry"], paths: Paths, epoch: number | undefined) {
  // A run's own length comes before that of the document.
  const updates = inside(paths.run, () => updatesOf(entry));
  const own = updates === undefined && entry.epochs === undefined ? document : entry;
  const count = own === entry ? updates : updatesOf(document);
  if (count !== undefined && own.epochs !== undefined) {
    const both = `${lengthName(own)}: ${count}, epochs: ${own.epochs}`;
    throw new InputError("a run's length is given in updates or in epochs", both, "leave out one");
  }
  const path = (name: string) => (own === document ? name : `${paths.run}.${name}`);
  // Asynchronous rounds are evaluated at the end only.
  const asked = document.evaluate ?? (document.mode === "async" ? "at the end" : undefined);
  const evaluate = asked === undefined ? epoch : updatesBetween(asked, epoch);
  const rounds =
    own.epochs === undefined
      ? integer(path(lengthName(own)), count ?? 200, 0)
      : integer(path("epochs"), own.epochs, 0) * requireEpoch("epochs", own.epochs, epoch);
  return defined({ rounds, evaluate });
}

function requireEpoch(name: string, value: unknown, epoch: number | undefined): number {
  if (epoch !== undefined) return epoch;
  throw new InputError(`${name} needs a problem with epochs`, value, "say how many updates instead");
}

/** Updates between evaluations; more than any run has if it is evaluated at the end only. */
function updatesBetween(evaluate: number | string, epoch: number | undefined): number {
  if (typeof evaluate === "number") return integer("evaluate", evaluate, 1);
  if (evaluate === "at the end") return Number.MAX_SAFE_INTEGER;
  const words = /^every (?:([1-9]\d*) )?epochs?$/.exec(String(evaluate));
  if (words !== null) return Number(words[1] ?? 1) * requireEpoch("evaluate", evaluate, epoch);
  const remedy = 'try "every epoch", "every 5 epochs" or "at the end"';
  throw new InputError("evaluate must be a number of updates, or in words", evaluate, remedy);
}

/** The places of a run's parts in the document, for errors. */
interface Paths {
  readonly topology: string;
  readonly algorithm: string;
  readonly problem: string;
  /** The run's own entry; empty if it has none. */
  readonly run: string;
}

interface Place {
  readonly paths: Paths;
  readonly entry: Pick<RunEntry, "updates" | "rounds" | "epochs"> & {
    readonly label: string;
    readonly topology: TopologySpec;
    readonly algorithm: AlgorithmSpec;
    readonly problem: ProblemEntry;
  };
}

/** Whether a document holds objects instead of names: its runs can then be done in this process only. */
export function holdsObjects(document: SpecDocument): boolean {
  const { topologies = [], algorithms = [], problem, runs = [] } = document as WrittenDocument;
  const used = [...algorithms, ...runs.map(({ algorithm }) => algorithm)];
  return (
    [...topologies, ...runs.map(({ topology }) => topology)].some(isTopology) ||
    used.some((entry) => isAlgorithm(entry) || isAlgorithm(entry.name)) ||
    [problem, ...runs.map((run) => run.problem)].some(isProblem)
  );
}

function entriesOf({ runs, topologies, algorithms, problem }: WrittenDocument): Place[] {
  if (runs !== undefined) {
    if (topologies !== undefined || algorithms !== undefined) {
      throw new InputError("a spec has either runs or topologies and algorithms", "both", "leave out one of them");
    }
    return requireList("runs", runs).map((entry, k) => {
      const run = `runs[${k}]`;
      requireObject(run, entry);
      inside(run, () => onlyKeys("a run", entry, entryKeys));
      const own = entry.problem === undefined ? "problem" : `${run}.problem`;
      const paths = { topology: `${run}.topology`, algorithm: `${run}.algorithm`, problem: own, run };
      const parts = partsOf(paths, entry, entry.problem ?? problem);
      const label = entry.label ?? `${shortName(parts.topology)} ${parts.algorithm.name}`;
      return { paths, entry: { ...entry, label, ...parts } };
    });
  }
  requireObject("problem", problem);
  const all = requireList("algorithms", algorithms);
  const graphs = requireList("topologies", topologies);
  return graphs.flatMap((graph, j) =>
    all.map((one, k) => {
      const paths = { topology: `topologies[${j}]`, algorithm: `algorithms[${k}]`, problem: "problem", run: "" };
      const parts = partsOf(paths, { topology: graph, algorithm: one }, problem);
      const { label: graphLabel = shortName(parts.topology), ...topology } = parts.topology;
      const { label: ownLabel = parts.algorithm.name, ...algorithm } = parts.algorithm;
      // A label says what differs.
      const label = all.length === 1 ? graphLabel : graphs.length === 1 ? ownLabel : `${graphLabel} ${ownLabel}`;
      return { paths, entry: { label, topology, algorithm, problem: parts.problem } };
    }),
  );
}

/** The parts of an entry by name: an object of a program gets a name first. */
function partsOf(
  paths: Paths,
  { topology, algorithm }: Pick<EntryOf<TopologyEntry, AlgorithmEntry, unknown>, "topology" | "algorithm">,
  problem: ProblemEntry | Problem | undefined,
) {
  requireObject(paths.topology, topology);
  requireObject(paths.algorithm, algorithm);
  requireObject(paths.problem, problem);
  const graph = isTopology(topology)
    ? { name: nameTopology(topology), n: topology.n }
    : inside(paths.topology, () => sized(topology));
  const method = isAlgorithm(algorithm) ? { name: algorithm } : algorithm;
  const { name } = method;
  return {
    topology: graph as Labelled<TopologySpec>,
    algorithm: { ...method, name: isAlgorithm(name) ? nameAlgorithm(name) : name } as Labelled<AlgorithmSpec>,
    problem: isProblem(problem) ? { name: nameProblem(problem) } : problem,
  };
}

/** With n, where a spec may leave it to the graph. */
function sized(topology: TopologySpec | FileSpec): TopologySpec {
  const { name, n } = topology;
  const own = n === undefined && topologies.has(name) ? topologies.get(name).nodesOf?.({ ...topology }) : undefined;
  return (own === undefined ? topology : { ...topology, n: own }) as TopologySpec;
}

/**
 * Runs of one label are repeats of each other, so equal labels get the settings that differ: two rings become "ring n=17" and
 * "ring n=33".
 */
function distinct(places: readonly Place[]): Place[] {
  const settings = places.map(({ entry: { topology, algorithm, problem, updates, rounds } }) => {
    const all = { ...readable(topology), ...algorithm, ...problem, n: topology.n, rounds: updates ?? rounds };
    const names = { name: topology.name, algorithm: algorithm.name, problem: problem.name };
    return new Map<string, unknown>(Object.entries({ ...all, ...names }));
  });
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const labels = places.map(({ entry: { label } }, k) => {
    const alike = settings.filter((_, j) => places[j].entry.label === label);
    const own = [...settings[k]].filter(
      // The path says which file it is.
      ([key, value]) =>
        value !== undefined && key !== "sha256" && alike.some((other) => text(other.get(key)) !== text(value)),
    );
    return [label, ...own.map(([key, value]) => `${key}=${text(value)}`)].join(" ");
  });
  return places.map(({ paths, entry }, k) => {
    const before = labels.slice(0, k).filter((label) => label === labels[k]).length;
    return { paths, entry: { ...entry, label: before === 0 ? labels[k] : `${labels[k]} #${before + 1}` } };
  });
}

/** Builds everything once, so that nothing is refused after the first round. */
function checkRun(paths: Paths, entry: Place["entry"], seed: number, context: ProblemContext) {
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
  const optimiser = inside(paths.algorithm, () => createAlgorithm(entry.algorithm, defined({ n, epoch })));
  inside(`${paths.topology} with ${paths.algorithm}`, () => requireFit(optimiser.algorithm, topology, optimiser.spec));
  const run = { label: entry.label, topology: topology.spec, algorithm: entry.algorithm, problem };
  return { run, epoch, topology, optimiser };
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
