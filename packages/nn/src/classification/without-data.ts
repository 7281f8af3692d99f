/**
 * A classification problem where no node's data is at hand: for programs that put together what others report, when every node
 * has files of its own. It knows what all nodes share (the network, where it starts, how long an epoch is), takes the
 * losses that nodes report, sums their tallies up and writes the averaged model; it has no gradients.
 */

import type { Problem } from "equitopo";
import { InputError } from "equitopo/internal/input";
import { meanRow, squaredDistance } from "equitopo/internal/round";
import { createModel } from "../model/registry.ts";
import { summarise } from "./evaluation.ts";
import { imagesPerNode } from "./holdings.ts";
import { EpochLosses } from "./losses.ts";
import { openProblemData, startOf, trainedFile } from "./prepare.ts";
import { type ClassificationOptions, settingsOf } from "./settings.ts";

const nowhere = {
  has: () => false,
  read(name: string): never {
    throw new InputError("the file is with the nodes alone", name, "ask one of them");
  },
};

export function classificationWithoutData(given: ClassificationOptions): Problem {
  const settings = settingsOf(given);
  const { n } = settings;
  const data = openProblemData(settings, { files: nowhere });
  const model = createModel(settings.model, data);
  const epoch = Math.ceil(imagesPerNode(settings, data) / settings.batch);
  const losses = new EpochLosses(n, epoch);
  const absent = (): never => {
    throw new InputError("only a node with its data computes with it", "none here", "make the problem for that node");
  };
  return {
    ...{ name: "classification", n, d: model.parameterCount, epoch },
    start: startOf(settings, model, { files: nowhere }).parameters,
    gradient: absent,
    metrics: (x) => ({
      consensusDistance: Math.sqrt(squaredDistance(x, meanRow(x, n)) / n),
      batchLoss: losses.lastSum() / n,
    }),
    state: { losses: losses.rows },
    evaluation: { tally: absent, summarise },
    files(x) {
      // Statistics are estimated from data.
      if (model.statisticsCount > 0) return {};
      const numbers = { parameters: Float32Array.from(meanRow(x, n)), statistics: new Float32Array(0) };
      return { "model.safetensors": trainedFile(settings, model, data, numbers, true) };
    },
  };
}
