/** `equitopo generate`: text from a language model that `equitopo train text` wrote. */

import { decodeModel, generateText } from "@equitopo/nn";
import { readNamed } from "../input/file.ts";
import { type CommonOptions, type Given, number, whole, word } from "../terminal/flags.ts";
import { print, printJson } from "../terminal/output.ts";

export const flags = {
  prompt: word("<TEXT>", "what the text begins with (default: a new line)"),
  tokens: whole("<K>", "how many are added, default 200", 1, 200),
  temperature: number(
    "<T>",
    "below 1 likelier tokens are drawn more often, at 0 the likeliest is taken; default 1",
    0.8,
  ),
  seed: whole("<S>", "of what is drawn, default 0: one seed, one text", 0, 1),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const words = { "<model>": "a model.safetensors that `equitopo train text` wrote" };

export const help = `
Tokens are characters or bytes, as the model was trained; characters that its text did not have are refused in a prompt.

Examples:
  equitopo generate runs/text/model.safetensors --prompt "ROMEO:"
  equitopo generate runs/text/model.safetensors --tokens 1000 --temperature 0.8 --seed 7
  equitopo generate runs/text/model.safetensors --prompt "The" --json
`;

export async function act(file: string, options: Options): Promise<void> {
  const { prompt = "", tokens = 200, temperature = 1, seed = 0 } = options;
  const { model, saved } = decodeModel(readNamed(file, "the model must be a file that can be read"), file);
  const began = performance.now();
  const text = generateText(model, saved, { prompt, tokens, temperature, seed });
  const seconds = (performance.now() - began) / 1000;
  if (options.json) await printJson({ prompt, text, tokens, seconds });
  else await print([`${text}\n`]);
}
