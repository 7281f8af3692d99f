/**
 * One topology's training, an update at a time: the simulator's own run of the document that the page exports, looked at
 * where somebody wants to. It goes forwards only; whoever wants an earlier update begins anew and comes to the same numbers.
 */

import { type ClassificationOptions, classification, prepareClassification } from "@equitopo/nn";
import { kernelMixer, type Problem, type Standing, simulationSteps } from "equitopo";
import { meanRow } from "equitopo/round";
import { averager } from "equitopo/run";
import { topologyOf } from "../setting-run.ts";
import type { Chosen } from "../topology-field.ts";
import { MOST_UPDATES } from "./fields.ts";
import { problemOf, type Task } from "./task.ts";

/** What the library's evaluation finds of the models at one update. */
export interface Worth {
  /** Of the averaged model, on all test points. */
  readonly averagedAccuracy: number;
  /** Of the nodes' own models: their mean, the worst, and each. */
  readonly meanAccuracy: number;
  readonly worstAccuracy: number;
  readonly accuracies: Float32Array;
}

/** What the document's problem comes to: its n is the topologies', its seed the document's. */
export function optionsOf(task: Task): ClassificationOptions {
  const { name: _, ...options } = problemOf(task);
  return { ...options, n: task.learners, seed: task.seed };
}

/** The network and the points, which all topologies share. */
export const prepare = (task: Task) => prepareClassification(optionsOf(task));

export class Training {
  readonly problem: Problem;
  readonly #steps: ReturnType<typeof simulationSteps>;
  readonly #average: ReturnType<typeof averager>;
  #standing: Standing;

  constructor(task: Task, chosen: Chosen) {
    const { method, gamma, learners: n, seed, drop } = task;
    const topology = topologyOf(chosen, { n, seed });
    this.problem = classification(optionsOf(task));
    this.#average = averager(kernelMixer(n));
    this.#steps = simulationSteps({
      ...{ topology, algorithm: { name: method, learningRate: gamma }, problem: this.problem, seed },
      // Evaluated by hand, where it is looked at: an evaluation costs as much as ten updates.
      ...{ rounds: MOST_UPDATES, evaluate: Number.MAX_SAFE_INTEGER, faults: { drop } },
    });
    this.#standing = this.#next();
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** One more update. */
  step(): void {
    if (this.#standing.done < MOST_UPDATES) this.#standing = this.#next();
  }

  #next(): Standing {
    const step = this.#steps.next();
    if (step.done) throw new Error("a run yields after its last update before it returns");
    return step.value;
  }

  /** The mean of the models. */
  mean(): Float64Array {
    return meanRow(this.#standing.x, this.problem.n);
  }

  model(node: number): Float64Array | Float32Array {
    const { d } = this.problem;
    return this.#standing.x.subarray(node * d, (node + 1) * d);
  }

  /** The problem's evaluation as the simulator does it, here and now. */
  worth(): Worth {
    const { evaluation, n } = this.problem;
    if (evaluation === undefined) throw new Error("classification has an evaluation");
    const { x, done } = this.#standing;
    const tally = evaluation.tally(x, done, 0, n, true);
    let step = tally.next();
    while (!step.done) step = tally.next(step.value.map(this.#average));
    const { averagedAccuracy, meanAccuracy, worstAccuracy } = evaluation.summarise(step.value);
    const accuracies = Float32Array.from(step.value, ({ accuracy }) => accuracy);
    return { averagedAccuracy, meanAccuracy, worstAccuracy, accuracies };
  }
}
