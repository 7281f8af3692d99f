/** Every network by name. A new one is one file and one line here, or an `add` in a plug-in. */

import { InputError, onlyKeys, Registry, settle } from "equitopo/internal/input";
import { type Named, named } from "../options.ts";
import type { Images, ModelFamily } from "./member.ts";
import { Model } from "./model.ts";
import { gptModel } from "./models/gpt.ts";
import { mnistCnnModel } from "./models/mnist-cnn.ts";
import { perceptronModel, softmaxRegressionModel } from "./models/perceptron.ts";
import { resNet20Model } from "./models/resnet20.ts";
import type { Initialisation, LayerSpec } from "./spec.ts";

export const models = new Registry<ModelFamily>("model", [
  ...[mnistCnnModel, resNet20Model, perceptronModel, softmaxRegressionModel, gptModel],
]);

/** A network's name, its name and its options, or its layers: plain JSON. */
export type ModelSpec = Named | Layers;

interface Layers {
  readonly layers: readonly LayerSpec[];
  readonly weights?: Initialisation;
}

/** Whether a spec gives its layers themselves. */
export const hasLayers = (spec: unknown): spec is Layers =>
  typeof spec === "object" && spec !== null && "layers" in spec && !("name" in spec);

/**
 * The network that a spec describes, for images like these.
 *
 * @example
 * ```ts
 * import { createModel } from "@equitopo/nn";
 * const images = { shape: { height: 8, width: 8, channels: 1 }, classes: 3 };
 * createModel({ name: "perceptron", hidden: [5] }, images).parameterCount // => 343
 * createModel({ layers: [{ kind: "dense", units: 3 }] }, images).parameterCount // => 195
 * ```
 */
export function createModel(spec: ModelSpec, images: Images): Model {
  if (hasLayers(spec)) return fromLayers(spec, images);
  const { name, options } = named("model", spec);
  const member = models.get(name);
  if (member.reads !== images.reads) {
    const [rule, remedy] =
      images.reads === "text"
        ? ["the model of a text reads text", "choose gpt"]
        : ["the model of images reads images", "choose perceptron, or the problem language"];
    throw new InputError(rule, name, remedy);
  }
  return member.build(settle(name, member.options, options), images);
}

function fromLayers(spec: Layers, { shape, classes, reads }: Images): Model {
  if (reads === "text") throw new InputError("the model of a text has a name", spec, "choose gpt");
  onlyKeys("a model of layers", spec, ["layers", "weights"]);
  const { layers, weights } = spec;
  if (!Array.isArray(layers)) throw new InputError("layers must be a list", layers, "put it in [ ]");
  const model = new Model({ name: "layers", input: shape, layers, ...(weights === undefined ? {} : { weights }) });
  if (model.classes === classes) return model;
  const rule = `the last layer puts out a score for each of ${classes} classes`;
  throw new InputError(rule, model.classes, `end with { kind: dense, units: ${classes} }`);
}
