/**
 * What each driver can do. A driver advances a run: the simulator, real peers, a GPU. It declares which features it lacks,
 * and which pairs of features it cannot do together. Every refusal of a combination comes from here, before the first round.
 */

import type { Optimiser } from "../../algorithm/registry.ts";
import type { Liars } from "../../faults/liars.ts";
import { InputError } from "../../input/input.ts";
import type { RunSpec } from "../run-spec.ts";
import { type FeatureName, type Features, featureNames, features, featuresIn } from "./feature.ts";

export interface FeaturePair {
  readonly a: FeatureName;
  readonly b: FeatureName;
  readonly reason: string;
}

export interface Driver {
  readonly name: string;
  /** The driver's name in a refusal. */
  readonly title: string;
  /** The features that it lacks, each with the reason. */
  readonly lacks: Readonly<Partial<Record<FeatureName, string>>>;
  /** Features that it cannot do together, in addition to those of `everywhere`. */
  readonly pairs?: readonly FeaturePair[];
  /** Features that need another one, in addition to those of `alwaysNeeded`. */
  readonly needs?: readonly Need[];
}

/** A feature that cannot do without another one on this driver. */
export interface Need {
  readonly feature: FeatureName;
  readonly needed: FeatureName;
  readonly reason: string;
}

const lookInside = "inside a group rows are added up before any node could look at them";
const leakingSums = "a defence changes W from row to row, so that sums over all nodes are not kept";
const oneModel = "a defence compares one vector per iteration with a node's own model";
const trackers = "only gradient tracking has trackers to repair";

/** The features of liars, for a driver that lacks them all for one reason. */
const liarsLacked = (reason: string) => ({ liars: reason, "colluding-liars": reason, "label-flip": reason });

const pair = (a: FeatureName, b: FeatureName, reason: string): FeaturePair => ({ a, b, reason });
const need = (feature: FeatureName, needed: FeatureName, reason: string): Need => ({ feature, needed, reason });

/** Pairs that no driver does. */
const everywhere: readonly FeaturePair[] = [
  pair("several-vectors", "compression", "an encoded message takes the place of one vector"),
  pair("two-vectors", "compression", "what of an encoded message is left over belongs to one of the two"),
  pair("two-vectors", "fragments", "both vectors of a node have the width of a model"),
  pair("hierarchy", "compression", "a group sends its mean, which is none of the rows that were encoded"),
  ...(["liars", "colluding-liars", "label-flip"] as const).flatMap((liars) => [
    pair("hierarchy", liars, lookInside),
    pair(liars, "compression", "an attack changes rows, and compressed messages are not rows"),
    pair(liars, "exact-means", "an attack changes rows that are mixed over the topology"),
  ]),
  pair("hierarchy", "defences", lookInside),
  pair("defences", "compression", "a compressed difference cannot be compared with a node's own model"),
  pair("defences", "exact-means", "an exact mean hears all nodes at once"),
  ...(["tracking", "shares", "weights"] as const).map((sums) => pair("defences", sums, leakingSums)),
  ...(["two-vectors", "several-vectors", "several-exchanges"] as const).map((many) => pair("defences", many, oneModel)),
  pair("defences", "audit", leakingSums),
  pair("compensate", "weights", "push-sum's weights make all nodes count alike already"),
];

/** Features that need another one on every driver. */
const alwaysNeeded: readonly Need[] = [
  need("audit", "tracking", trackers),
  need("label-flip", "labels", "the data must have labels to flip"),
];

const ofPeers = "only real peers have it";
const ofGpu = "only a GPU computes in another precision";
const ofAsync = "only asynchronous rounds have it";

const inStep = { async: "this driver keeps all nodes in step", compensate: ofAsync };
const byName = "the objects exist in one process only, and this driver's peers are others";

/** The features that asynchronous rounds lack, simulated or real. */
const asynchronous = {
  hierarchy: "the means inside groups wait for all members, and here nobody waits",
  "two-vectors": "both vectors of a node belong to one round",
  compression: "a message must be of use without the ones before it",
  "exact-means": "an exact mean waits for all nodes",
  "several-exchanges": "an asynchronous iteration makes one exchange",
  fragments: "an asynchronous iteration exchanges whole models",
  tracking: "trackers keep their sum only over the vectors of one round",
  "common-rounds": "asynchronous rounds do not give all vectors of one round",
  ...liarsLacked("attacks are defined for rounds in step"),
  defences: "a defence compares rows of one round",
  "evaluation-midway": "an evaluation waits for all nodes, which asynchronous rounds do at the end only",
  mixed: ofGpu,
  audit: trackers,
};

/** The drivers of the library. A driver of your own is one more object of this shape. */
export const drivers = [
  {
    name: "simulator",
    title: "the simulator",
    lacks: { ...inStep, mixed: ofGpu, history: ofPeers, overlap: ofPeers, audit: ofPeers },
  },
  {
    name: "simulator-async",
    title: "the simulator with asynchronous rounds",
    lacks: {
      ...asynchronous,
      checkpoints: "letters on their way are not saved",
      history: ofPeers,
      overlap: ofPeers,
    },
  },
  {
    name: "peer",
    title: "a real peer",
    lacks: {
      ...inStep,
      "colluding-liars": "a peer sees its own row and what was sent to it, and no other rows",
      mixed: ofGpu,
      objects: byName,
    },
    pairs: [pair("overlap", "exact-means", "a mean takes the place of the exchange that has begun")],
    needs: [need("overlap", "models-first", "an iteration must begin with sending its models as they are")],
  },
  {
    name: "peer-async",
    title: "a real peer with asynchronous rounds",
    lacks: { ...asynchronous, objects: byName },
  },
  {
    name: "peer-elastic",
    title: "an elastic peer",
    lacks: {
      ...inStep,
      hierarchy: "groups belong to a fixed set of nodes",
      ...liarsLacked("liars belong to a fixed set of nodes"),
      mixed: ofGpu,
      objects: byName,
      history: "a history is checked against the rounds of a fixed set of nodes",
      overlap: "the members of the next round are known only after the last",
    },
  },
  {
    name: "gpu",
    title: "a GPU",
    lacks: {
      ...inStep,
      "two-vectors": "rows that heard nobody are not marked there",
      "row-stochastic": "how far mixing moves the mean is not counted there",
      compression: "messages are not encoded there",
      weights: "rows have the width of a model there",
      fragments: "rows have the width of a model there",
      ...liarsLacked("attacks are played on the CPU"),
      defences: "robust mixing is done on the CPU",
      float64: "it computes in float32",
      "any-problem": "it trains networks, the problem classification",
      objects: "the objects have no kernels",
      history: ofPeers,
      overlap: ofPeers,
      audit: ofPeers,
    },
  },
] as const satisfies readonly Driver[];

export type DriverName = (typeof drivers)[number]["name"];

/** The driver for a run: the asynchronous one if the run is asynchronous. */
export const driverOf = (place: "simulator" | "peer", { mode }: { readonly mode?: "async" | undefined }): DriverName =>
  mode === "async" ? `${place}-async` : place;

const declarationOf = (driver: DriverName | Driver): Driver =>
  typeof driver === "string" ? (drivers.find(({ name }) => name === driver) as Driver) : driver;

export const hasFeature = (driver: DriverName | Driver, feature: FeatureName): boolean =>
  declarationOf(driver).lacks[feature] === undefined;

/** Throws if the driver cannot do all of these together: names the feature, the reason, and how to do without it. */
export function requireFeatures(driver: DriverName | Driver, used: Features): void {
  const declared = declarationOf(driver);
  const refuse = (what: string, reason: string, names: readonly FeatureName[]) => {
    const found = [...new Set(names.map((name) => used.get(name)))].join(" with ");
    const remedy = [...new Set(names.map((name) => features[name][1]))].join(", or ");
    throw refusal(declared, what, reason, found, remedy);
  };
  for (const name of used.keys()) {
    const reason = declared.lacks[name];
    if (reason !== undefined) refuse(name, reason, [name]);
  }
  for (const { a, b, reason } of pairsOf(declared)) {
    if (used.has(a) && used.has(b)) refuse(`${a} with ${b}`, reason, [b, a]);
  }
  for (const { feature, needed, reason } of [...alwaysNeeded, ...(declared.needs ?? [])]) {
    if (used.has(feature) && !used.has(needed)) refuse(`${feature} without ${needed}`, reason, [feature]);
  }
}

// Checks of single features, for programs that have no whole run at hand.

/** Refuses attacks that an algorithm or a problem has no place for. */
export function requireAttackable(liars: Liars | undefined, optimiser: Optimiser, problem?: string): void {
  requireFeatures("simulator", featuresIn({ optimiser, liars, ...(problem === undefined ? {} : { problem }) }));
}

/** Refuses attacks for which a liar has to see what honest peers are about to send. */
export function requirePlayable(liars: Liars | undefined): void {
  if (liars?.alone === false) requireFeatures("peer", new Map([["colluding-liars", "faults.attack"]]));
}

/** Refuses what only a GPU computes. */
export function requireOwnPrecision({ precision }: RunSpec): void {
  if (precision !== undefined) requireFeatures("simulator", new Map([["mixed", `precision: ${precision}`]]));
}

/** The one form in which a combination is refused. */
export function refusal(
  { title }: Pick<Driver, "title">,
  what: string,
  reason: string,
  value: unknown,
  remedy: string,
) {
  return new InputError(`${title} cannot do ${what}: ${reason}`, value, remedy);
}

/** The pairs that a driver cannot do together. */
const pairsOf = ({ lacks, pairs = [] }: Driver): readonly FeaturePair[] =>
  [...everywhere, ...pairs].filter(({ a, b }) => lacks[a] === undefined && lacks[b] === undefined);

/** The declarations as data: what `equitopo list --features --json` prints. */
export function featureTable() {
  return {
    features: featureNames,
    drivers: drivers.map(({ name, lacks }: Driver) => ({
      name,
      features: Object.fromEntries(featureNames.map((feature) => [feature, lacks[feature] ?? true])),
    })),
    pairs: drivers.flatMap((driver) => pairsOf(driver).map((pair) => ({ driver: driver.name, ...pair }))),
  };
}
