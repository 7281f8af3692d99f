/**
 * One readable document that describes runs: topologies x algorithms over a problem, or an explicit list of runs, each
 * repeated for every seed. Plain JSON; everything but the names has a sensible default.
 */

import { requireFit } from "../algorithm/fit.ts";
import { type AlgorithmSpec, createAlgorithm } from "../algorithm/registry.ts";
import { checkLatency, type Latency } from "../faults/latency.ts";
import { InputError, inside, integer, oneOf, onlyKeys } from "../input/input.ts";
import { createProblem, type ProblemSpec } from "../problem/registry.ts";
import { createTopology, topologies } from "../topology/registry.ts";
import type { TopologySpec } from "../topology/topology.ts";

/** What a user writes. */
export interface SpecDocument {
  readonly title?: string;
  readonly topologies?: readonly Labelled<TopologySpec>[];
  readonly algorithms?: readonly Labelled<AlgorithmSpec>[];
  readonly problem?: ProblemEntry;
  /** Explicit combinations, where each has its own learning rate or problem. */
  readonly runs?: readonly RunEntry[];
  readonly rounds?: number;
  readonly seeds?: readonly number[];
  /** Metrics are taken after every so many updates. */
  readonly every?: number;
  readonly latency?: Latency;
  readonly type?: "float64" | "float32";
}

/** Its n is the topology's. */
type ProblemEntry = Omit<ProblemSpec, "n"> & { readonly name: string; readonly n?: number };
type Labelled<T> = T & { readonly label?: string };

export interface RunEntry {
  readonly label?: string;
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem?: ProblemEntry;
  readonly rounds?: number;
}

/** One run of one seed, complete: whoever has it can do the run alone. */
export interface RunSpec {
  readonly label: string;
  readonly topology: TopologySpec;
  readonly algorithm: AlgorithmSpec;
  readonly problem: ProblemSpec;
  readonly rounds: number;
  readonly seed: number;
  readonly every: number;
  readonly type: "float64" | "float32";
  readonly latency?: Latency;
}

const keys = ["title", "topologies", "algorithms", "problem", "runs", "rounds", "seeds", "every", "latency", "type"];

/**
 * Every run that a document asks for, checked from end to end: names, options, sizes, and whether the algorithm fits the
 * topology. Errors name the path in the document.
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
export function expandSpec(document: SpecDocument): RunSpec[] {
  if (!isObject(document)) {
    throw new InputError(`a spec must be an object with the keys ${keys.join(", ")}`, document, "see docs/spec.md");
  }
  onlyKeys("a spec", document, keys);
  const { title } = document;
  if (title !== undefined && typeof title !== "string") {
    throw new InputError("title must be a text", title, "put it in quotes");
  }
  const seeds = document.seeds ?? [0];
  requireList("seeds", seeds).forEach((seed, k) => {
    integer(`seeds[${k}]`, seed, 0);
  });
  const every = integer("every", document.every ?? 1, 1);
  const type = oneOf("type", document.type ?? "float64", ["float64", "float32"]);
  const latency = document.latency === undefined ? {} : { latency: document.latency };
  return distinct(entriesOf(document)).flatMap(({ paths, entry }) => {
    const rounds = integer(paths.rounds, entry.rounds ?? document.rounds ?? 200, 0);
    if (document.latency !== undefined) checkSpecLatency(entry.topology.n, document.latency);
    return seeds.map((seed) => ({ ...checkRun(paths, entry, seed), rounds, seed, every, type, ...latency }));
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
  readonly entry: RunEntry & { readonly problem: ProblemEntry; readonly label: string };
}

function entriesOf(document: SpecDocument): Place[] {
  const { runs, topologies, algorithms, problem } = document;
  if (runs !== undefined) {
    if (topologies !== undefined || algorithms !== undefined) {
      throw new InputError("a spec has either runs or topologies and algorithms", "both", "leave out one of them");
    }
    return requireList("runs", runs).map((entry, k) => {
      const path = `runs[${k}]`;
      requireObject(path, entry);
      inside(path, () => onlyKeys("a run", entry, ["label", "topology", "algorithm", "problem", "rounds"]));
      const chosen = entry.problem ?? problem;
      const paths = {
        topology: `${path}.topology`,
        algorithm: `${path}.algorithm`,
        problem: entry.problem === undefined ? "problem" : `${path}.problem`,
        rounds: entry.rounds === undefined ? "rounds" : `${path}.rounds`,
      };
      requireObject(paths.topology, entry.topology);
      requireObject(paths.algorithm, entry.algorithm);
      requireObject(paths.problem, chosen);
      const label = entry.label ?? `${entry.topology.name} ${entry.algorithm.name}`;
      return { paths, entry: { ...entry, label, problem: chosen } };
    });
  }
  requireObject("problem", problem);
  const methods = requireList("algorithms", algorithms);
  return requireList("topologies", topologies).flatMap((topology, j) =>
    methods.map((algorithm, k) => {
      requireObject(`topologies[${j}]`, topology);
      requireObject(`algorithms[${k}]`, algorithm);
      const { label: topologyLabel = topology.name, ...graph } = topology;
      const { label: algorithmLabel = algorithm.name, ...method } = algorithm;
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
      return { paths, entry: { label, topology: graph as TopologySpec, algorithm: method as AlgorithmSpec, problem } };
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
function checkRun(paths: Paths, entry: Place["entry"], seed: number) {
  const topology = inside(paths.topology, () => {
    const seeded = "seed" in topologies.get(entry.topology.name).options;
    return createTopology(seeded ? { seed, ...entry.topology } : entry.topology);
  });
  const { algorithm } = inside(paths.algorithm, () => createAlgorithm(entry.algorithm));
  inside(`${paths.topology} with ${paths.algorithm}`, () => requireFit(algorithm, topology));
  inside(paths.problem, () => {
    // One node's worth of it: the options are checked without drawing everybody's data.
    createProblem({ ...entry.problem, n: 1 });
    const n = entry.problem["n"];
    if (n !== undefined && n !== topology.n) {
      throw new InputError(`n must be the topology's, ${topology.n}`, n, "leave it out");
    }
  });
  const problem: ProblemSpec = { seed, ...entry.problem, n: topology.n };
  return { label: entry.label, topology: topology.spec, algorithm: entry.algorithm, problem };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireObject<T>(path: string, value: T | undefined, having = "a name"): asserts value is T {
  if (!isObject(value)) throw new InputError(`${path} must be an object with ${having}`, value, `see docs/spec.md`);
}

function requireList<T>(path: string, value: readonly T[] | undefined): readonly T[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new InputError(`${path} must be a list with at least one entry`, value, "see docs/spec.md");
}
