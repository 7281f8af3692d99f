/** What the words of `equitopo train text` mean, as a spec that `equitopo run` takes. */

import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { InputError, parseSpec, type SpecDocument } from "equitopo";
import { defined } from "equitopo/internal/input";
import { plugins } from "../../input/plugins.ts";
import { choice, flagName, whole } from "../../terminal/flags.ts";
import { type TrainOptions, topologySpec } from "./document.ts";

export const textFlags = {
  updates: whole("<T>", "of a text: steps of every node in all, default 500", 1, 500),
  tokens: choice("<KIND>", "of a text: characters (default) or bytes", ["characters", "bytes"]),
  layers: whole("<L>", "of the model gpt, default 4", 1, 6),
  heads: whole("<H>", "of attention in each layer, default 4", 1, 6),
  width: whole("<W>", "numbers at a position, default 128", 4, 384),
  context: whole("<K>", "tokens that are seen at once, default 64", 1, 256),
};

export interface TextOptions extends TrainOptions {
  readonly updates?: number;
  readonly tokens?: "characters" | "bytes";
  readonly layers?: number;
  readonly heads?: number;
  readonly width?: number;
  readonly context?: number;
}

/** Flags that mean something for images only. */
const ofImages = ["momentum", "weightDecay", "epochs", "protocol", "alpha", "shards", "images", "tests"] as const;

/** Flags that mean something for texts only. */
export const ofTexts = Object.keys(textFlags);

export function refuseFlags(options: TextOptions, names: readonly string[], what: string): void {
  const values: Readonly<Record<string, unknown>> = { ...options };
  const given = names.find((name) => values[name] !== undefined);
  if (given === undefined) return;
  const flag = `--${flagName(given)}`;
  throw new InputError(`${flag} belongs to ${what}`, values[given], `leave out ${flag}`);
}

/** A file that --data names: then its folder is the one of the data. */
export function textPlace({ data }: TextOptions): { readonly folder?: string; readonly file?: string } {
  if (data === undefined) return {};
  if (!statSync(data, { throwIfNoEntry: false })?.isFile()) return { folder: data };
  return { folder: dirname(data), file: basename(data) };
}

export function textDocument(name: string, options: TextOptions): SpecDocument {
  refuseFlags(options, [...ofImages, "device", "precision"], "images, not to a text");
  const { file } = textPlace(options);
  if (file !== undefined && name !== "text") throw new InputError("--data is a folder", file, "or say train text");
  if (options.evaluate === "share") throw new InputError("--evaluate is all or averaged", "share", "try all");
  const topology = topologySpec({ ...options, nodes: options.nodes ?? options.n ?? 4 });
  const { algorithm = "gossip-diloco", updates = 500, learningRate: rate = 1e-3 } = options;
  const steps = Math.max(1, Math.min(100, Math.floor(updates / 10)));
  const after = { name: "cosine", rate, rounds: Math.max(1, updates - steps), floor: rate / 10 };
  const own = algorithm === "gossip-diloco" ? { steps: 10, mixMomentum: true } : {};
  const { layers, heads, width, context, dropout } = options;
  const loaded = plugins();
  return parseSpec({
    ...(loaded.length === 0 ? {} : { plugins: loaded }),
    title: `${file ?? name}: ${algorithm} on ${topology.name}, n = ${topology.n}`,
    topologies: [topology],
    algorithms: [{ name: algorithm, ...own, learningRate: { name: "warm-up", rate, steps, after } }],
    problem: {
      ...{ name: "language", data: file === undefined ? name : { name, path: file } },
      ...{ tokens: options.tokens ?? "characters", split: options.split ?? "iid", try: options.evaluate ?? "averaged" },
      model: { name: options.model ?? "gpt", ...defined({ layers, heads, width, context, dropout }) },
      ...{ batch: options.batch ?? 12, ...defined({ start: options.from }) },
    },
    updates,
    every: Math.min(10, updates),
    evaluate: Math.max(1, Math.round(updates / 5)),
    seeds: [options.seed ?? 0],
    type: "float32",
  });
}
