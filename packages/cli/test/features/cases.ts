/** Small runs that use given features: for every pair of features a spec, as far as the library's members can express it. */

import { classificationFamily } from "@equitopo/nn";
import { createTopology, expandSpec, problems, type RunSpec, type SpecDocument, type TopologySpec } from "equitopo";
import { type AlgorithmSpec, algorithms, createAlgorithm } from "equitopo/internal/algorithm";
import { InputError } from "equitopo/internal/input";
import {
  type DriverName,
  type FeatureName,
  type FeatureOptions,
  featuresOf,
  featureTable,
  requireFeatures,
} from "equitopo/run";

if (!problems.has("classification")) problems.add(classificationFamily);

const n = 4;

const graphs: readonly TopologySpec[] = [
  { name: "ring", n },
  { name: "od-equidyn", n },
  { name: "hierarchy", n, groups: [2, 2], between: { name: "complete" } },
  { name: "ceca-2p", n },
  { name: "el-local", n },
];

const methods: readonly AlgorithmSpec[] = [
  ...algorithms.map(({ name }) => ({ name, learningRate: 0.01 })),
  { name: "dsgd", learningRate: 0.01, order: "combine-then-adapt" },
  ...[{ compress: { name: "quantise", bits: 8 } }, { fragments: 2 }].flatMap((sending) =>
    [{ name: "local-adamw", rounds: 2 }, { name: "gossip-diloco", mixMomentum: true }, { name: "diloco" }].map(
      (rule) => ({
        ...{ learningRate: 0.01, steps: 2, ...rule },
        ...sending,
      }),
    ),
  ),
];

const classification = {
  ...{ name: "classification", data: { name: "plane" }, images: 40, tests: 8, batch: 4 },
  model: { layers: [{ kind: "dense", units: 2 }] },
};

/** What goes with a feature, where it makes no sense alone. */
const along: Partial<Record<FeatureName, readonly FeatureName[]>> = {
  compensate: ["async"],
  "colluding-liars": ["liars"],
  "label-flip": ["liars", "labels"],
  "evaluation-midway": ["evaluation"],
  audit: ["tracking"],
  overlap: ["models-first"],
  "models-first": ["overlap"],
  mixed: ["float32"],
};

/** Features of topologies and algorithms: the others are keys of a spec, or options beside it. */
export const ofMembers: readonly FeatureName[] = [
  ...(["hierarchy", "two-vectors", "row-stochastic", "compression", "exact-means", "several-exchanges"] as const),
  ...(["several-vectors", "tracking", "shares", "weights", "fragments", "common-rounds", "models-first"] as const),
];

/** Pairs of which nobody could ask for both. */
const exclusive: readonly (readonly FeatureName[])[] = [
  ["float32", "float64"],
  ["float64", "mixed"],
  ["labels", "any-problem"],
  ["any-problem", "label-flip"],
  ["colluding-liars", "label-flip"],
];

export interface Case {
  readonly run: RunSpec;
  readonly options: FeatureOptions;
  /** Why the declarations refuse it. */
  readonly refused?: InputError;
}

export interface Pair {
  readonly a: FeatureName;
  readonly b: FeatureName;
}

const { features: names, drivers, pairs: declared } = featureTable();

/** The one form of a refusal. */
export const oneSentence = /^[^\n]* cannot do [^\n]*: [^\n]*, got [^\n]*; [^\n]+$/;

/** Every two features, and every one by itself. */
export const pairs: readonly Pair[] = names.flatMap((a, k) => names.slice(k).map((b) => ({ a, b })));

/** Whether the declarations refuse the pair on this driver. */
export function isRefused(driver: DriverName, { a, b }: Pair): boolean {
  const own = drivers.find(({ name }) => name === driver)?.features ?? {};
  const together = declared.some((pair) => {
    return pair.driver === driver && [a, b].includes(pair.a) && [a, b].includes(pair.b);
  });
  return own[a] !== true || own[b] !== true || together;
}

/** A run that uses both features, if possible one that the declarations allow on this driver; undefined if there is none. */
export function caseOf(driver: DriverName, { a, b }: Pair): Case | undefined {
  const wanted = new Set([a, b].flatMap((name) => [name, ...(along[name] ?? [])]));
  if (driver.endsWith("async")) wanted.add("async");
  if (exclusive.some(([x, y]) => wanted.has(x) && wanted.has(y))) return undefined;
  const options = optionsOf(wanted);
  let first: Case | undefined;
  for (const algorithm of methods) {
    for (const topology of graphs) {
      const optimiser = createAlgorithm(algorithm);
      if (optimiser.algorithm.condition.unfit(createTopology(topology), optimiser.spec) !== undefined) continue;
      const document = documentOf(driver, wanted, topology, algorithm);
      const plugins = wanted.has("plugins") ? { plugins: ["0".repeat(64)] } : {};
      const run = { ...planned(document), ...plugins };
      const used = featuresOf(run, options);
      const missing = [...wanted].filter((name) => !used.has(name));
      if (missing.some((name) => ofMembers.includes(name))) continue;
      if (missing.length > 0) throw new Error(`a run for ${a} with ${b} does not use ${missing.join(", ")}`);
      try {
        requireFeatures(driver, used);
        return { run: { ...expandSpec(document)[0], ...plugins }, options };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        first ??= { run, options, refused: error };
      }
    }
  }
  return first;
}

/** The run of a document, whether or not the simulator would do it. */
function planned(document: SpecDocument): RunSpec {
  const { topologies = [], algorithms: chosen = [], problem, faults, robust, latency, mode, compensate } = document;
  const { type = "float64", precision, evaluate, rounds = 0 } = document;
  const given = { faults, robust, latency, evaluate, compensate, precision };
  return {
    ...{ label: "planned", topology: topologies[0], algorithm: chosen[0], problem: { ...problem, n }, rounds },
    ...{ seed: 1, every: 1, type },
    ...(mode === "async" ? { mode } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as unknown as RunSpec;
}

function documentOf(
  driver: DriverName,
  wanted: ReadonlySet<FeatureName>,
  topology: TopologySpec,
  algorithm: AlgorithmSpec,
): SpecDocument {
  const learns = wanted.has("labels") || wanted.has("evaluation") || (driver === "gpu" && !wanted.has("any-problem"));
  const attack = wanted.has("colluding-liars") ? "little-is-enough" : wanted.has("label-flip") ? "label-flip" : "large";
  const faults = {
    ...(wanted.has("drop") ? { drop: 0.2 } : {}),
    ...(wanted.has("liars") ? { liars: [1], attack } : {}),
  };
  const single = wanted.has("float32") || (driver === "gpu" && !wanted.has("float64"));
  const lasts = learns && !wanted.has("any-problem");
  return {
    ...{ topologies: [topology], algorithms: [algorithm], rounds: 4, seeds: [1], type: single ? "float32" : "float64" },
    problem: lasts ? classification : { name: "least-squares", d: 3, K: 4 },
    ...(wanted.has("evaluation-midway") ? { evaluate: 2 } : lasts || wanted.has("evaluation") ? { evaluate: 4 } : {}),
    ...(Object.keys(faults).length === 0 ? {} : { faults }),
    ...(wanted.has("defences") ? { robust: { kind: "clip", radius: 1 } } : {}),
    ...(wanted.has("latency") || wanted.has("async") ? { latency: { alpha: 1e-4, beta: 1e-9 } } : {}),
    ...(wanted.has("mixed") ? { precision: "mixed" } : {}),
    ...(wanted.has("async") ? { mode: "async" } : {}),
    ...(wanted.has("compensate") ? { compensate: true } : {}),
  } as SpecDocument;
}

function optionsOf(wanted: ReadonlySet<FeatureName>): FeatureOptions {
  return {
    ...(wanted.has("history") ? { history: () => {} } : {}),
    ...(wanted.has("overlap") ? { overlap: true } : {}),
    ...(wanted.has("audit") ? { audit: 2 } : {}),
    ...(wanted.has("checkpoints") ? { checkpoint: true } : {}),
    ...(wanted.has("objects") ? { objects: true } : {}),
  };
}
