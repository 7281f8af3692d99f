/**
 * One topology's training, an update at a time: the simulator's own run of the document that the page exports, looked at
 * where somebody wants to. It goes forwards only; whoever wants an earlier update begins anew and comes to the same numbers.
 */

import { type ClassificationOptions, classification } from "@equitopo/nn";
import { type Standing, simulationSteps } from "equitopo/run";
import { topologyOf } from "../setting-run.ts";
import type { Chosen } from "../topology-field.ts";
import { MOST_UPDATES } from "./fields.ts";
import type { Models } from "./lens.ts";
import { problemOf, type Task } from "./task.ts";

/** What the document's problem comes to: its n is the topologies', its seed the document's. */
export function optionsOf(task: Task): ClassificationOptions {
  const { name: _, ...options } = problemOf(task);
  return { ...options, n: task.learners, seed: task.seed };
}

export class Training {
  readonly #steps: ReturnType<typeof simulationSteps>;
  #standing: Standing;

  constructor(task: Task, chosen: Chosen) {
    const { method, gamma, learners: n, seed, drop } = task;
    this.#steps = simulationSteps({
      ...{ topology: topologyOf(chosen, { n, seed }), algorithm: { name: method, learningRate: gamma }, seed },
      ...{ problem: classification(optionsOf(task)), rounds: MOST_UPDATES, faults: { drop } },
      // Evaluated where it is looked at: an evaluation costs as much as ten updates.
      evaluate: Number.MAX_SAFE_INTEGER,
    });
    this.#standing = this.#next();
  }

  /** One more update. */
  step(): void {
    if (this.#standing.done < MOST_UPDATES) this.#standing = this.#next();
  }

  /** The models as they are now: live memory. */
  models(): Models {
    const { x, done, record } = this.#standing;
    return {
      ...{ x, updates: done, bytes: record.bytes[record.bytes.length - 1] },
      ...{ disagreement: record.metrics["consensusDistance"], batchLoss: record.metrics["batchLoss"] },
    };
  }

  #next(): Standing {
    const step = this.#steps.next();
    if (step.done) throw new Error("a run yields after its last update before it returns");
    return step.value;
  }
}
