/** Text from a saved language model, token by token: each is drawn from what the model says of the tokens before it. */

import { InputError, integer, nonnegative, real } from "equitopo/internal/input";
import { RandomStream, streams } from "equitopo/internal/random";
import type { SavedModel } from "../classification/model-file.ts";
import { createNnKernels } from "../kernel/kernels.ts";
import type { Model } from "../model/model.ts";
import { decodeTokens, encodeText } from "../text/tokens.ts";
import { softmax } from "./work.ts";

export interface GenerateOptions {
  /** What the text begins with; the first line break or, without one, the first token of the vocabulary if left out. */
  readonly prompt?: string;
  /** How many tokens are added; default 200. */
  readonly tokens?: number;
  /** What scores are divided by before a token is drawn (default 1); at 0 the likeliest is taken. */
  readonly temperature?: number;
  /** Token k is drawn by the k-th number of the seed. */
  readonly seed?: number;
}

/**
 * The prompt and what follows it. O(tokens) forward passes over the context.
 *
 * @example
 * ```ts
 * import { decodeModel, generateText, language } from "@equitopo/nn";
 * const model = { name: "gpt", layers: 1, heads: 1, width: 8, context: 16 };
 * const problem = language({ n: 1, data: "grammar", model });
 * const file = problem.files!(problem.start as Float32Array)["model.safetensors"];
 * const { model: network, saved } = decodeModel(file, "the file");
 * generateText(network, saved, { prompt: "the fox", tokens: 5, seed: 1 }).length // => 12
 * ```
 */
export function generateText(model: Model, saved: SavedModel, options: GenerateOptions = {}): string {
  const { alphabet, parameters } = saved;
  if (alphabet === undefined) {
    throw new InputError("text needs a model of a language", model.name, "use a model that a text was learned by");
  }
  const count = integer("tokens", options.tokens ?? 200, 1);
  const temperature = real("temperature", options.temperature ?? 1, nonnegative, 1);
  const stream = new RandomStream(options.seed ?? 0, streams.sampling);
  const tokens = encodeText(alphabet, options.prompt ?? "");
  const shown = tokens.length;
  if (shown === 0) tokens.push(beginning(saved));
  const workspace = 16 + 16 * Math.ceil(parameters.length / 4);
  const kernels = createNnKernels(workspace + model.workspaceBytes(1));
  const network = model.bind(kernels, workspace, 1);
  new Float32Array(kernels.memory.buffer, 16, parameters.length).set(parameters);
  for (let k = 0; k < count; k++) {
    const seen = tokens.slice(-model.rows);
    network.images.fill(0);
    network.images.set(seen);
    const at = (seen.length - 1) * network.logitPitch;
    const scores = network.forward({ parameters: 16, count: 1 }).subarray(at, at + model.classes);
    tokens.push(temperature === 0 ? scores.indexOf(Math.max(...scores)) : draw(softmax(scores, temperature), stream));
  }
  return decodeTokens(alphabet, shown === 0 ? tokens.slice(1) : tokens);
}

/** What comes before a text that begins: a line break, if there is one. */
function beginning({ alphabet }: SavedModel): number {
  if (alphabet === undefined || alphabet.tokens === "bytes") return 10;
  return Math.max(0, Array.from(alphabet.characters).indexOf("\n"));
}

/** The token in whose part of [0, 1) the next number is. */
function draw(probabilities: Float64Array, stream: RandomStream): number {
  let left = stream.uniform();
  const found = probabilities.findIndex((probability) => {
    left -= probability;
    return left < 0;
  });
  // Rounding may leave a little beyond the last one.
  return found < 0 ? probabilities.indexOf(probabilities.reduce((a, b) => Math.max(a, b))) : found;
}
