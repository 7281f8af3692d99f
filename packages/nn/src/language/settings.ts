/** What the spec of a language problem says. */

import type { Values } from "equitopo/internal/input";
import { integer, option, settle } from "equitopo/internal/input";
import { type ModelSpec, models } from "../model/registry.ts";
import { chosen, type Named, named, text } from "../options.ts";
import { texts } from "../text/registry.ts";

export const options = {
  data: option.required(
    chosen<Named>("grammar", "text, shakespeare, sotu, grammar, or one of these with its options", (value) =>
      texts.get(named("data", value).name),
    ),
  ),
  tokens: option.about(option.word("characters", "bytes"), "what a model reads and puts out, one at a time"),
  model: chosen<ModelSpec>("gpt", "a name, or a name with options", (value) => models.get(named("model", value).name)),
  batch: option.about(option.whole(12, 1), "texts that a node sees in a step, each as long as the model's context"),
  split: option.about(
    option.word("iid", "contiguous", "by-file"),
    "what a node's texts are drawn from: all, its part of the whole, or files of its own",
  ),
  try: option.about(option.word("all", "averaged"), "what is tried on the validation text before the end of a run"),
  start: option.about(text("a file"), "a saved model to start from"),
  seed: option.seed,
};

/** A spec: what has a default may be left out. */
export type LanguageOptions = { readonly n: number; readonly data: Named } & Partial<Values<typeof options>>;

export interface Settings extends Values<typeof options> {
  readonly n: number;
}

export const settingsOf = ({ n, ...given }: LanguageOptions): Settings => ({
  ...settle("language", options, given),
  n: integer("n", n, 1),
});
