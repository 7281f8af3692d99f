/**
 * A trained network in a file: its numbers as .safetensors, and in the metadata what it takes to use it again: the spec of
 * the model, the shape of images, the classes and their normalisation, or of a text what its tokens are.
 */

import { defined, InputError, inside } from "equitopo/internal/input";
import type { Normalisation } from "../data/dataset.ts";
import type { Images } from "../model/member.ts";
import type { Model } from "../model/model.ts";
import { createModel, type ModelSpec } from "../model/registry.ts";
import { modelTensors, readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import type { Alphabet } from "../text/tokens.ts";

export interface SavedModel extends Images {
  readonly spec: ModelSpec;
  readonly normalisation: Normalisation | undefined;
  readonly parameters: Float32Array;
  /** Running statistics; empty where the network has none. */
  readonly statistics: Float32Array;
  /** What the tokens of a text are; left out where the network reads images. */
  readonly alphabet?: Alphabet;
}

const VERSION = "1";

/** `more` is for people: the data set, the run. */
export function encodeModel(
  model: Model,
  { spec, shape, classes, normalisation, parameters, statistics, reads, alphabet }: SavedModel,
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const described = { spec, shape, classes, ...defined({ normalisation, reads, alphabet }) };
  return writeSafetensors(modelTensors(model, parameters, statistics), {
    ...{ format: "equitopo", version: VERSION, model: model.name, ...more },
    network: JSON.stringify(described),
  });
}

/** The network and its numbers; `name` appears in errors. */
export function decodeModel(bytes: Uint8Array, name: string) {
  const { tensors, metadata } = inside(name, () => readSafetensors(bytes));
  if (metadata["format"] !== "equitopo" || metadata["network"] === undefined || metadata["version"] !== VERSION) {
    const rule = `${name}: the metadata of a saved model says its network (format equitopo, version ${VERSION})`;
    const remedy = "use a model.safetensors that equitopo train wrote";
    throw new InputError(rule, `${metadata["format"]}, version ${metadata["version"]}`, remedy);
  }
  const { spec, shape, classes, normalisation, ...text } = JSON.parse(metadata["network"]) as Omit<
    SavedModel,
    "parameters" | "statistics"
  >;
  const model = createModel(spec, { shape, classes, ...text });
  const parameters = new Float32Array(model.parameterCount);
  for (const { name: parameter, offset, size } of model.parameters) {
    const data = tensors[parameter]?.data;
    if (data?.length !== size) {
      throw new InputError(`${name}: ${parameter} has ${size} numbers`, data?.length, "write it again");
    }
    parameters.set(data, offset);
  }
  const statistics = tensors["running_statistics"]?.data ?? model.initialStatistics();
  return { model, saved: { spec, shape, classes, normalisation, parameters, statistics, ...text }, metadata };
}
