/**
 * One topology's training, an update at a time: the simulator's own run of the spec, looked at where somebody wants to. It
 * goes forwards only; whoever wants an earlier update begins anew and comes to the same numbers.
 */

import { classificationFamily, type PreparedClassification, prepareClassification } from "@equitopo/nn";
import {
  createProblem,
  createTopology,
  expandSpec,
  kernelMixer,
  type Problem,
  problems,
  type RunSpec,
  type Standing,
  simulationSteps,
} from "equitopo";
import { meanRow } from "equitopo/round";
import { averager } from "equitopo/run";
import type { Chosen } from "../topology-field.ts";
import { MOST_UPDATES } from "./fields.ts";
import { documentOf, type Task } from "./task.ts";

if (!problems.has(classificationFamily.name)) problems.add(classificationFamily);

/** What the library's evaluation finds of the models at one update. */
export interface Worth {
  /** Of the averaged model, on all test points. */
  readonly averagedAccuracy: number;
  /** Of the nodes' own models: their mean, the worst, and each. */
  readonly meanAccuracy: number;
  readonly worstAccuracy: number;
  readonly accuracies: Float32Array;
}

export class Training {
  readonly run: RunSpec;
  readonly problem: Problem;
  readonly #steps: ReturnType<typeof simulationSteps>;
  readonly #average: ReturnType<typeof averager>;
  #standing: Standing;

  constructor(task: Task, chosen: Chosen) {
    [this.run] = expandSpec(documentOf(task, [chosen], MOST_UPDATES));
    const { topology, algorithm, seed, faults } = this.run;
    this.problem = createProblem(this.run.problem);
    this.#average = averager(kernelMixer(this.problem.n));
    this.#steps = simulationSteps({
      ...{ topology: createTopology(topology), algorithm, problem: this.problem, rounds: MOST_UPDATES, seed },
      // Looked at by hand: an evaluation costs as much as ten updates.
      evaluate: Number.MAX_SAFE_INTEGER,
      ...(faults === undefined ? {} : { faults }),
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

/** The network and the points, which all topologies share. */
export function prepare(task: Task): PreparedClassification {
  // An algorithm and a topology that fit each other; neither is run.
  const [{ problem }] = expandSpec(documentOf({ ...task, method: "centralised" }, [{ name: "complete" }], 0));
  const { name: _, ...options } = problem;
  return prepareClassification(options as Parameters<typeof prepareClassification>[0]);
}
