/**
 * One topology's training, an update at a time: the simulator's own run of the document that the page exports, looked at
 * where somebody wants to. It goes forwards only; whoever wants an earlier update begins anew and comes to the same numbers.
 */

import { classification } from "@equitopo/nn";
import { createAlgorithm } from "equitopo";
import { type Standing, simulationSteps } from "equitopo/internal/run";
import { MOST_UPDATES } from "../../view/fields.ts";
import { topologyOf } from "../setting.ts";
import type { Trainer } from "./frame.ts";
import { optionsOf } from "./task.ts";

interface Training {
  readonly steps: Iterator<Standing>;
  standing: Standing;
}

export const cpuTrainer: Trainer<Training> = {
  stride: 1,

  begin(task, chosen) {
    const { algorithm, gamma, n, seed, drop } = task;
    const steps = simulationSteps({
      topology: topologyOf(chosen, { n, seed }),
      algorithm: createAlgorithm({ name: algorithm, learningRate: gamma }),
      ...{ problem: classification(optionsOf(task)), rounds: MOST_UPDATES, faults: { drop }, seed },
      // Evaluated where it is looked at: an evaluation costs as much as ten updates.
      evaluate: Number.MAX_SAFE_INTEGER,
    });
    return { steps, standing: steps.next().value as Standing };
  },

  advance(trainings) {
    for (const training of trainings) training.standing = training.steps.next().value;
  },

  modelsOf({ standing: { x, done, record } }) {
    return {
      ...{ x, updates: done, bytes: record.bytes[record.bytes.length - 1], bytesBy: record.bytes },
      ...{ disagreement: record.metrics["consensusDistance"], batchLoss: record.metrics["batchLoss"] },
    };
  },
};
