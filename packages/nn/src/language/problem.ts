/**
 * A language model with its text as a problem: f_i is the mean loss (in nats a token) of predicting every next token of
 * windows of node i's share, a gradient that of one batch of them. The network computes in single precision. Windows
 * and dropout are functions of (seed, node, t), so that a peer computes for itself what the simulator computes for it.
 */

import { defineProblem, type Problem, type ProblemContext, type Rows } from "equitopo";
import { InputError } from "equitopo/internal/input";
import { meanRow, squaredDistance } from "equitopo/internal/round";
import { encodeModel } from "../classification/model-file.ts";
import { startOf } from "../classification/prepare.ts";
import type { Model } from "../model/model.ts";
import { named } from "../options.ts";
import { openText } from "../text/registry.ts";
import { type TokenizedText, type Tokens, tokenized } from "../text/tokens.ts";
import { evaluationOf } from "./evaluation.ts";
import { type LanguageOptions, options, type Settings, settingsOf } from "./settings.ts";
import { sharesOf, windowCount } from "./windows.ts";
import { commands, modelOf, type Plan, PROBES, type Staging, workOf } from "./work.ts";

/**
 * The problem of all n nodes, or of those that the context names.
 *
 * @example
 * ```ts
 * import { language } from "@equitopo/nn";
 * const model = { name: "gpt", layers: 1, heads: 1, width: 8, context: 16 };
 * const problem = language({ n: 2, data: "grammar", model, batch: 4 });
 * const gradients = new Float32Array(2 * problem.d);
 * problem.gradient(Float32Array.from([...problem.start!, ...problem.start!]), 0, gradients, 0, 2);
 * problem.metrics(gradients).batchLoss.toFixed(1) // => "3.2"
 * ```
 */
export function language(given: LanguageOptions, context: ProblemContext = {}): Problem {
  const { crew, first = 0 } = context;
  const settings = settingsOf(given);
  const { n } = settings;
  const { count = n } = context;
  const { text, model, shares } = prepared(settings, context);
  const { parameterCount: d, rows: length } = model;
  const { parameters: start } = startOf(settings, model, context);
  const shared = crew !== undefined && crew.threads > 1;
  const buffer = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const probes = Math.min(PROBES, windowCount(text.validation, length));
  const staging: Staging = {
    x: new Float32Array(buffer(4 * count * d)),
    y: new Float32Array(buffer(4 * count * d)),
    outputs: new Float32Array(buffer(4 * count * probes * length * text.vocabulary)),
    results: new Float64Array(buffer(8 * count * n)),
  };
  const plan: Plan = {
    ...{ settings, vocabulary: text.vocabulary, first, shares: shares.slice(first, first + count), staging },
    ...{ train: share(text.train, shared), validation: share(text.validation, shared) },
  };
  const own = count === 0 ? undefined : workOf(plan);
  const team =
    shared && own !== undefined ? crew.team(new URL("./thread.js", import.meta.url).href, plan, own) : undefined;
  const run = (command: number, tasks: number, ...args: readonly number[]) => {
    if (team !== undefined) team.run(command, tasks, ...args);
    else for (let task = 0; task < tasks; task++) own?.(command, task, Float64Array.from(args));
  };
  /** Of every node's last step; not a number before the first. */
  const losses = new Float64Array(count).fill(Number.NaN);

  return {
    ...{ name: "language", n, d, start },
    // What decays: tables and weights, not the gains of norms.
    matrices: model.matrices,
    epoch: epochOf(settings, text, length),
    gradient(x: Rows, t: number, out: Rows, from: number, rows: number): void {
      const at = from - first;
      if (at < 0 || at + rows > count) {
        const rule = `this problem was made for nodes ${first} to ${first + count - 1}`;
        throw new InputError(rule, `${from} to ${from + rows - 1}`, "make one for these");
      }
      staging.x.set(x, at * d);
      run(commands.gradient, rows, t, at);
      out.set(staging.y.subarray(at * d, (at + rows) * d));
      losses.set(staging.results.subarray(at, at + rows), at);
    },
    metrics(x) {
      const nodes = x.length / d;
      return {
        consensusDistance: Math.sqrt(squaredDistance(x, meanRow(x, nodes)) / nodes),
        // Of the last step; not a number before the first. A peer knows its own only.
        ...(count === n ? { batchLoss: losses.reduce((sum, loss) => sum + loss, 0) / n } : {}),
      };
    },
    state: { losses },
    evaluation: evaluationOf({ settings, first, count, staging, text, run, loss: (k) => losses[k] }),
    files(x) {
      // The average of all; at a peer, its own copy of the last evaluation's.
      const parameters = x.length === n * d ? Float32Array.from(meanRow(x, n)) : staging.y.slice(0, d);
      return { "model.safetensors": trainedFile(settings, text, model, parameters) };
    },
    close: () => team?.close(),
  };
}

/** The averaged model with its alphabet, and where its text was had. */
function trainedFile(
  { model: spec, data, seed }: Settings,
  text: TokenizedText,
  model: Model,
  parameters: Float32Array,
) {
  const saved = {
    ...{ spec, shape: model.input, classes: text.vocabulary, reads: "text" as const, alphabet: text.alphabet },
    ...{ normalisation: undefined, parameters, statistics: new Float32Array(0) },
  };
  const more = { dataset: named("data", data).name, data: JSON.stringify({ source: data, seed }) };
  return encodeModel(model, saved, more);
}

/** The text, the network for it, and the nodes' shares; refuses texts that are too short for them. */
function prepared(settings: Settings, { files }: ProblemContext) {
  const text = tokenized(
    openText(settings.data, { seed: settings.seed, ...(files === undefined ? {} : { files }) }),
    settings.tokens,
  );
  const model = modelOf(settings, text.vocabulary);
  const shares = sharesOf(settings, text);
  const shortest = shares.reduce(
    (least, [from, to]) => Math.min(least, to - from),
    text.validation.length + model.rows - 1,
  );
  if (shortest > model.rows) return { text, model, shares };
  const rule = `every node's share is longer than the context of ${model.rows} tokens, and validation has two`;
  throw new InputError(rule, shortest, "use more text, fewer nodes or a shorter context");
}

/** Updates in which all nodes together see as many tokens as there are to train on. */
const epochOf = ({ n, batch }: Settings, { train }: TokenizedText, context: number): number =>
  Math.ceil(train.length / (n * batch * context));

/** The same tokens where all threads can read them. */
function share(tokens: Tokens, shared: boolean): Tokens {
  if (!shared) return tokens;
  const memory = new SharedArrayBuffer(tokens.byteLength);
  const copy = tokens instanceof Uint8Array ? new Uint8Array(memory) : new Uint32Array(memory);
  copy.set(tokens);
  return copy;
}

export const languageFamily = defineProblem({
  name: "language",
  summary: "a small language model on text: your own, shakespeare, sotu or drawn sentences",
  source: "nanoGPT (Karpathy 2022)",
  options,
  metric: "batchLoss",
  falls: true,
  create: language,
  check(given, context = {}) {
    const settings = settingsOf(given);
    const { text, model } = prepared(settings, context);
    startOf(settings, model, context);
    return { epoch: epochOf(settings, text, model.rows) };
  },
});

declare module "equitopo" {
  interface ProblemMembers {
    language: typeof languageFamily;
  }
}
