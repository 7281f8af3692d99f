/**
 * GPT-2's network as nanoGPT trains it: a table of tokens and one of positions, then `layers` blocks
 * x + attention(norm(x)), x + MLP(norm(x)) of `width` numbers a position, a last norm, and scores by the same table of
 * tokens. No shifts; weights begin with N(0, 0.02^2), those that end a block with N(0, 0.02^2 / (2 layers)).
 * 12 layers width^2 + (2 layers + 1) width + (vocabulary + context) width parameters.
 */

import { InputError, option } from "equitopo/internal/input";
import { defineModel } from "../member.ts";
import { Model } from "../model.ts";
import type { LayerSpec } from "../spec.ts";

export interface GptOptions {
  /** Tokens that there are. */
  readonly vocabulary: number;
  readonly layers: number;
  readonly heads: number;
  /** Numbers at a position: a multiple of 4 heads. */
  readonly width: number;
  /** Tokens that are seen at once. */
  readonly context: number;
  /** Default 0. */
  readonly dropout?: number;
}

/**
 * @example
 * ```ts
 * import { gpt } from "@equitopo/nn";
 * gpt({ vocabulary: 65, layers: 6, heads: 6, width: 384, context: 256 }).parameterCount // => 10745088
 * ```
 */
export function gpt({ vocabulary, layers, heads, width, context, dropout = 0 }: GptOptions): Model {
  if (width % (4 * heads) !== 0) {
    const remedy = `try ${4 * heads * Math.max(1, Math.round(width / 4 / heads))}`;
    throw new InputError(`the width of gpt with ${heads} heads is a multiple of ${4 * heads}`, width, remedy);
  }
  const drop: LayerSpec[] = dropout === 0 ? [] : [{ kind: "dropout", rate: dropout }];
  const last = { kind: "linear", units: width, deviation: 0.02 / Math.sqrt(2 * layers) };
  const skip = (...inner: LayerSpec[]): LayerSpec => ({
    kind: "skip",
    layers: [{ kind: "layer-norm" }, ...inner, last, ...drop],
  });
  const block = [
    skip({ kind: "linear", units: 3 * width }, { kind: "attention", heads, dropout }),
    skip({ kind: "linear", units: 4 * width }, { kind: "gelu" }),
  ];
  const body = Array.from({ length: layers }, () => block).flat();
  return new Model({
    name: "gpt",
    input: { height: 1, width: context, channels: 1 },
    scores: "every position",
    layers: [
      {
        ...{ kind: "tied", vocabulary, units: width },
        layers: [{ kind: "positions" }, ...drop, ...body, { kind: "layer-norm" }],
      },
    ],
  });
}

export const gptModel = defineModel({
  name: "gpt",
  summary: "a small GPT as nanoGPT trains it: pre-norm, tied table, no shifts",
  reads: "text",
  options: {
    layers: option.whole(4, 1),
    heads: option.whole(4, 1),
    width: option.whole(128, 4),
    context: option.about(option.whole(64, 1), "tokens that are seen at once"),
    dropout: option.share(0),
  },
  build: (options, { classes }) => gpt({ ...options, vocabulary: classes }),
});
