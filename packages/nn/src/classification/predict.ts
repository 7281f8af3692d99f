/** What a saved model says of images. */

import { InputError } from "equitopo/internal/input";
import { type BatchFiller, batchFiller } from "../data/batch.ts";
import type { Dataset } from "../data/dataset.ts";
import { createNnKernels, vectorBytes } from "../kernel/kernels.ts";
import type { BoundModel, ReplicaPass } from "../model/bound.ts";
import type { Model } from "../model/model.ts";
import type { SavedModel } from "./model-file.ts";

const BATCH = 64;

/**
 * The class of every image: the one of the highest score. O(images) forward passes, in batches.
 *
 * @example
 * ```ts
 * import { createModel, predictClasses, syntheticImages } from "@equitopo/nn";
 * const data = syntheticImages({ count: 3, seed: 1 });
 * const model = createModel("softmax-regression", data);
 * const { shape, classes } = data;
 * const parameters = new Float32Array(model.parameterCount);
 * parameters[parameters.length - 1] = 1; // the bias of the last class
 * const saved = { spec: "softmax-regression", shape, classes, normalisation: undefined, parameters, statistics: new Float32Array(0) };
 * predictClasses(model, saved, data).join() // => "9,9,9"
 * ```
 */
export function predictClasses(model: Model, saved: SavedModel, data: Dataset): Int32Array {
  if (saved.reads === "text")
    throw new InputError("images need a model of images", model.name, "try equitopo generate");
  const size = ({ height, width, channels }: Dataset["shape"]) => height * width * channels;
  if (size(data.shape) !== size(saved.shape)) {
    const { height, width, channels } = saved.shape;
    throw new InputError(`the model reads images of ${height} x ${width} x ${channels}`, data.shape, "check the data");
  }
  const { parameters, statistics, normalisation, classes } = saved;
  const statisticsAt = 16 + vectorBytes(parameters.byteLength);
  const workspace = statisticsAt + vectorBytes(statistics.byteLength);
  const kernels = createNnKernels(workspace + model.workspaceBytes(BATCH));
  const network = model.bind(kernels, workspace, BATCH);
  new Float32Array(kernels.memory.buffer, 16, parameters.length).set(parameters);
  new Float32Array(kernels.memory.buffer, statisticsAt, statistics.length).set(statistics);
  const fill = batchFiller(
    { ...data, shape: saved.shape },
    { pitch: network.imagePitch, ...(normalisation === undefined ? {} : { normalisation }) },
  );
  const index = Int32Array.from({ length: data.count }, (_, k) => k);
  const at = { parameters: 16, statistics: statistics.length === 0 ? 0 : statisticsAt };
  const scores = scoresOf(network, fill, index, at);
  return index.map((k) => {
    const row = scores.subarray(k * classes, (k + 1) * classes);
    return row.indexOf(Math.max(...row));
  });
}

/** The class scores of these images, one row after another, as many images at a time as the network takes. */
export function scoresOf(network: BoundModel, fill: BatchFiller, index: Int32Array, at: Omit<ReplicaPass, "count">) {
  const { batch, model, images, labels } = network;
  const scores = new Float32Array(index.length * model.classes);
  for (let from = 0; from < index.length; from += batch) {
    const chosen = index.subarray(from, from + batch);
    fill(chosen, images, labels);
    network.forward({ ...at, count: chosen.length });
    scores.set(network.scores(chosen.length), from * model.classes);
  }
  return scores;
}
