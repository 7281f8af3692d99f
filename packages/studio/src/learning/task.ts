/**
 * What is learnt, by whom and how, as a spec: the page trains by the very document that `equitopo run` takes, so a number
 * on the page is the number of that run.
 */

import type { SpecDocument } from "equitopo";
import type { Chosen } from "../topology-field.ts";
import type { View } from "../view.ts";

/** What a training depends on, but for the topologies. */
export type Task = Pick<
  View,
  "data" | "noise" | "split" | "model" | "method" | "gamma" | "batch" | "learners" | "seed" | "drop"
>;

/** Points to learn from, all nodes together, and to be tried on. */
export const POINTS = 640;
export const TESTS = 200;

const splits = {
  // One shard each: with two classes every node sees a single one.
  sorted: { name: "shards", shards: 1 },
  iid: "iid",
  dirichlet: { name: "dirichlet", alpha: 0.3 },
} as const;

const models = {
  small: { name: "perceptron", hidden: [16] },
  deep: { name: "perceptron", hidden: [16, 16] },
  linear: "softmax-regression",
} as const;

export function taskOf(view: View): Task {
  const { data, noise, split, model, method, gamma, batch, learners, seed, drop } = view;
  return { data, noise, split, model, method, gamma, batch, learners, seed, drop };
}

/** The problem as the document has it. */
export function problemOf({ data, noise, split, model, batch }: Task) {
  return {
    name: "classification",
    ...{ data: { name: "plane", pattern: data, noise }, images: POINTS, tests: TESTS },
    ...{ split: splits[split], model: models[model], batch },
  };
}

/** The document of this training over these topologies, so many updates long. */
export function documentOf(task: Task, topologies: readonly Chosen[], updates: number): SpecDocument {
  const { data, method, gamma, learners: n, seed, drop } = task;
  return {
    title: `${method} on ${data}, ${n} nodes`,
    topologies: topologies.map((chosen) => ({ ...chosen, n })),
    algorithms: [{ name: method, learningRate: gamma }],
    problem: problemOf(task),
    rounds: updates,
    seeds: [seed],
    evaluate: "at the end",
    ...(drop > 0 ? { faults: { drop } } : {}),
  };
}
