/**
 * The features that a run can ask of its driver, and which of them a run uses. driver.ts declares which of them each driver
 * has.
 */

import type { Mix } from "../../algorithm/algorithm.ts";
import { createAlgorithm, type Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import type { Liars } from "../../faults/liars.ts";
import type { Problem } from "../../problem/problem.ts";
import { problems } from "../../problem/registry.ts";
import { createTopology } from "../../topology/registry.ts";
import type { Topology } from "../../topology/topology.ts";
import { liarsOf, type RunSpec } from "../run-spec.ts";

/** A feature of algorithms: what such an algorithm does, and what one without the feature lacks. */
const ofAlgorithm = (does: string, lacks: string) =>
  [`an algorithm that ${does}`, `choose an algorithm without ${lacks}, for example dsgd`] as const;

/** Every feature: what it is, and how a run does without it. */
export const features = {
  async: ["rounds in which nobody waits (mode: async)", "leave out mode: async"],
  compensate: ["gradients that count for all rounds since the last (compensate)", "leave out compensate"],
  hierarchy: ["a topology between groups of peers", "choose a topology without groups"],
  "two-vectors": ["a topology over two vectors per node (CECA)", "choose another topology and algorithm"],
  "row-stochastic": ["a topology whose columns do not sum to 1 (EL-Local)", "choose another topology"],
  compression: ofAlgorithm("sends compressed messages", "compression"),
  "exact-means": ofAlgorithm("takes exact means over all nodes", "exact means"),
  "several-exchanges": ofAlgorithm("exchanges more than once per iteration", "a second exchange"),
  "several-vectors": ofAlgorithm("sends more than one vector", "a second vector"),
  tracking: ofAlgorithm("tracks the mean gradient", "tracking"),
  shares: ofAlgorithm("has states that are shares of a sum over all nodes", "such states"),
  weights: ofAlgorithm("sends a weight beside its vectors (push-sum)", "weights"),
  fragments: ofAlgorithm("sends parts of its models in turn (fragments)", "fragments"),
  "common-rounds": [
    "an algorithm that needs the vectors of all partners of one round",
    "choose dsgd, dmsgd, d-adam or push-sum",
  ],
  "models-first": [
    "an algorithm that sends its models before it computes (combine-then-adapt)",
    "choose another order",
  ],
  drop: ["messages dropped on purpose (faults.drop)", "leave out faults.drop"],
  liars: ["nodes that send wrong numbers (faults.liars)", "leave out faults.liars and faults.attack"],
  "colluding-liars": [
    "liars that see the rows of all honest nodes",
    "try the attack sign-flip, large, noise or label-flip",
  ],
  "label-flip": ["liars whose data has wrong labels", "try the attack sign-flip, large or noise"],
  defences: ["mixing that withstands liars (robust)", "leave out robust"],
  evaluation: ["an evaluation after the last update", "choose a problem without evaluation"],
  "evaluation-midway": ["evaluations during the run", 'write evaluate: "at the end"'],
  latency: ["a modelled network, which real peers leave aside (latency)", "leave out latency"],
  float64: ["models in double precision (type: float64)", "write type: float32"],
  float32: ["models in single precision (type: float32)", "write type: float64"],
  mixed: ["products of halves (precision: mixed)", "leave out precision, or add --device gpu"],
  labels: ["a problem whose data has labels", "choose another problem"],
  "any-problem": ["a problem other than classification", "choose the problem classification"],
  plugins: ["members from plug-ins", "choose members of the library"],
  objects: ["objects of a program in the spec", "put them into a plug-in (equitopo guide plugins)"],
  checkpoints: ["checkpoints from which a run goes on", "leave out the checkpoint"],
  history: ["a history of what each peer applied (--history)", "leave out --history"],
  overlap: ["sending while the gradient is computed (--overlap)", "leave out --overlap"],
  audit: ["repair of gradient tracking (--audit)", "leave out --audit"],
} as const satisfies Readonly<Record<string, readonly [what: string, without: string]>>;

export type FeatureName = keyof typeof features;

export const featureNames = Object.keys(features) as readonly FeatureName[];

/** The features that a run uses, each with the part of the run that uses it. */
export type Features = ReadonlyMap<FeatureName, string>;

/** Options beside the spec of a run. */
export interface FeatureOptions {
  readonly history?: unknown;
  readonly overlap?: boolean;
  readonly audit?: number | undefined;
  readonly checkpoint?: unknown;
  /** Whether the spec holds objects instead of names. */
  readonly objects?: boolean;
}

/** A run in parts, `problem` being a name of the registry; a part that is left out uses no feature. */
export type RunParts = { readonly [K in keyof Omit<RunSpec, "topology" | "problem">]?: RunSpec[K] | undefined } & {
  readonly topology?: Topology;
  readonly optimiser: Optimiser;
  readonly liars?: Liars | undefined;
  readonly problem?: string;
};

/**
 * The features that a run uses.
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { featuresOf } from "equitopo/run";
 * const [run] = expandSpec({
 *   topologies: [{ name: "ring", n: 5 }],
 *   algorithms: [{ name: "choco" }],
 *   problem: { name: "least-squares" },
 * });
 * [...featuresOf(run).keys()].join() // => "compression,shares,common-rounds,float64,any-problem"
 * ```
 */
export function featuresOf(run: RunSpec, options: FeatureOptions = {}): Features {
  const topology = createTopology(run.topology);
  const optimiser = createAlgorithm(run.algorithm);
  return featuresIn({ ...run, topology, optimiser, liars: liarsOf(run), problem: run.problem.name }, options);
}

/** The features that a run in parts uses. */
export function featuresIn(parts: RunParts, options: FeatureOptions = {}): Features {
  const { topology, optimiser, liars, problem, rounds = 0, evaluate = Number.POSITIVE_INFINITY } = parts;
  const { algorithm, sends, exchanges } = optimiser;
  const kinds = Object.values(algorithm.states);
  const named = (name: string, used: unknown): string | false => (used ? name : false);
  const byTopology = (used: unknown) => named(topology?.name ?? "", used);
  const byAlgorithm = (used: unknown) => named(optimiser.name, used);
  const byProblem = (used: boolean) => named(problem ?? "", problem !== undefined && used);
  const found: Readonly<Record<FeatureName, string | false>> = {
    async: named("mode: async", parts.mode === "async"),
    compensate: named("compensate: true", parts.compensate),
    hierarchy: byTopology(topology?.hierarchy),
    "two-vectors": byTopology(topology?.pair),
    "row-stochastic": byTopology(topology?.stochastic === "rows"),
    compression: byAlgorithm(sends.compressed),
    "exact-means": byAlgorithm(exchanges.means),
    "several-exchanges": byAlgorithm(exchanges.yields > 1),
    "several-vectors": byAlgorithm(sends.vectors * (exchanges.every ?? 1) > exchanges.hops),
    tracking: byAlgorithm(kinds.includes("tracker")),
    shares: byAlgorithm(kinds.includes("share")),
    weights: byAlgorithm((sends.scalars ?? 0) > 0),
    fragments: byAlgorithm(exchanges.parts !== undefined),
    "common-rounds": byAlgorithm(algorithm.async === undefined),
    "models-first":
      options.overlap === true && topology !== undefined && byAlgorithm(sendsModelsFirst(optimiser, topology)),
    drop: named("faults.drop", parts.faults?.drop),
    liars: named("faults.liars", liars),
    "colluding-liars": named("faults.attack", liars && !liars.alone),
    "label-flip": named("faults.attack", liars?.mislabels),
    defences: named("robust", parts.robust),
    evaluation: named(`evaluate: ${evaluate}`, parts.evaluate),
    "evaluation-midway": named(`evaluate: ${evaluate}`, evaluate < rounds),
    latency: named("latency", parts.latency),
    float64: named("type: float64", parts.type === "float64"),
    float32: named("type: float32", parts.type === "float32"),
    mixed: named("precision: mixed", parts.precision === "mixed"),
    labels: named("labels", problem === undefined || problems.get(problem).mislabels),
    "any-problem": byProblem(problem !== "classification"),
    plugins: named("plugins", parts.plugins),
    objects: named("objects", options.objects),
    checkpoints: named("checkpoint", options.checkpoint),
    history: named("history", options.history),
    overlap: named("overlap", options.overlap),
    audit: named("audit", options.audit),
  };
  return new Map(featureNames.flatMap((name) => (found[name] === false ? [] : [[name, found[name]] as const])));
}

/** Whether an iteration begins by sending the models unchanged: rehearses the first iteration on one row. */
function sendsModelsFirst(optimiser: Optimiser, topology: Topology): boolean {
  const problem: Problem = {
    ...{ name: "rehearsal", n: topology.n, d: optimiser.exchanges.parts ?? 1, metrics: () => ({}) },
    gradient: (_x, _t, out) => out.fill(1),
  };
  const world = createWorld({
    ...{ topology, problem, learningRate: () => 1, seed: 0, first: 0, count: 1 },
    rows: (width) => new Float64Array(width),
  });
  const running = optimiser.start(world);
  const { x } = running.state;
  const [before] = x;
  const { value, done } = running.iterate(0).next();
  if (done) return false;
  const { vectors, by, coded, heard } = value as Mix;
  const plain = by !== "mean" && coded === undefined && heard === undefined;
  return plain && vectors.length === 1 && vectors[0] === x && x[0] === before;
}
