/**
 * What is learnt, by whom and how, as a spec: the page trains by the very document that `equitopo run` takes, so a number
 * on the page is the number of that run.
 */

import type { ClassificationOptions } from "@equitopo/nn";
import { parseSpec, type SpecDocument } from "equitopo";
import type { Chosen } from "../../view/topology-field.ts";
import type { View } from "../../view/view.ts";

/** What a training depends on, but for the topologies. */
export interface Task
  extends Pick<View, "data" | "noise" | "split" | "model" | "algorithm" | "gamma" | "batch" | "seed" | "drop"> {
  readonly n: number;
}

/** Points to learn from, all nodes together, and to be tried on. */
export const POINTS = 640;
export const TESTS = 200;

const splits = {
  // One shard each: with two classes every node sees a single one.
  sorted: { name: "shards", shards: 1 },
  // The same around the ring: whom a node hears first holds what it holds.
  blocks: "blocks",
  iid: "iid",
  dirichlet: { name: "dirichlet", alpha: 0.3 },
} as const;

const models = {
  small: { name: "perceptron", hidden: [16] },
  deep: { name: "perceptron", hidden: [16, 16] },
  linear: "softmax-regression",
} as const;

export function taskOf(view: View): Task {
  const { data, noise, split, model, algorithm, gamma, batch, learningN: n, seed, drop } = view;
  return { data, noise, split, model, algorithm, gamma, batch, n, seed, drop };
}

/** The problem as the document has it. */
function problemOf({ data, noise, split, model, batch }: Task) {
  return {
    ...{ data: { name: "plane", pattern: data, noise }, images: POINTS, tests: TESTS },
    ...{ split: splits[split], model: models[model], batch },
  };
}

/** What the document's problem comes to: its n is the topologies', its seed the document's. */
export const optionsOf = (task: Task): ClassificationOptions => ({ ...problemOf(task), n: task.n, seed: task.seed });

/** The document of this training over these topologies, so many updates long. */
export function documentOf(task: Task, topologies: readonly Chosen[], updates: number): SpecDocument {
  const { data, algorithm, gamma, n, seed, drop } = task;
  return parseSpec({
    title: `${algorithm} on ${data}, ${n} nodes`,
    topologies: topologies.map((chosen) => ({ ...chosen, n })),
    algorithms: [{ name: algorithm, learningRate: gamma }],
    problem: { name: "classification", ...problemOf(task) },
    rounds: updates,
    seeds: [seed],
    evaluate: "at the end",
    ...(drop > 0 ? { faults: { drop } } : {}),
  });
}
