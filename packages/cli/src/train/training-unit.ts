/** A unit of an experiment that trains: on one thread, because the pool runs as many units at a time as there are cores. */

import type { TrainingEpoch, TrainingResult, TrainingUnit } from "@equitopo/experiments";
import { firstImages, stateHash } from "equitopo";
import { Trainer } from "equitopo/training";
import { loadMnist, type TrainAndTest } from "../data/mnist.ts";
import { runTraining } from "./run-training.ts";

export async function runTrainingUnit(
  unit: TrainingUnit,
  folder: string | undefined,
  onProgress: (share: number) => void,
): Promise<TrainingResult> {
  const { train, test } = dataOf(unit, folder);
  const trainer = await Trainer.create(unit.spec, { train, test });
  const epochs: TrainingEpoch[] = [];
  const steps = unit.epochs * trainer.stepsPerEpoch;
  await runTraining(trainer, {
    epochs: unit.epochs,
    // All models on all test images cost as much as an epoch: only at the end.
    trials: (epoch) => (epoch === unit.epochs - 1 ? ["share", "all"] : ["share"]),
    onStep: () => onProgress(trainer.steps / steps),
    onEpoch: (record) => {
      epochs.push(record);
    },
  });
  const { topology } = trainer;
  const result = { epochs, rate: topology.rate().rate, degree: topology.maxDegree, stateHash: stateHash(trainer.x) };
  await trainer.close();
  return result;
}

function dataOf({ images, tests }: TrainingUnit, folder: string | undefined): TrainAndTest {
  const { train, test } = loadMnist(folder);
  return { train: firstImages(train, images ?? train.count), test: firstImages(test, tests ?? test.count) };
}
