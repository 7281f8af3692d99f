/**
 * What the words of `equitopo train` mean, as a spec: the data set's defaults (Appendix D.3, with the learning rates as
 * run), the protocol, and what was given on the command line. The spec can then be run by `equitopo run`.
 */

import { dataSets, type ModelSpec, models, type Split } from "@equitopo/nn";
import { createTopology, InputError, parseSpec, type SpecDocument, type TopologySpec } from "equitopo";
import { defined } from "equitopo/internal/input";
import { lookFlags } from "../../figure/files.ts";
import { plugins } from "../../input/plugins.ts";
import { dataVariable } from "../../run/context.ts";
import { deviceFlags } from "../../run/gpu.ts";
import { choice, type Given, number, on, whole, word } from "../../terminal/flags.ts";
import { specFromOptions, type TopologyValues } from "../../topology/options.ts";
import { requireRoom } from "../../topology/rate-work.ts";

export const flags = {
  data: word("<DIR|FILE>", `folder of the data set's files, or one text (or the environment variable ${dataVariable})`),
  nodes: whole("<N>", "replicas, default 17 (the same as --n)", 1, 17),
  topology: word("<NAME>", "a name of `equitopo list`, default od-equidyn"),
  algorithm: word("<NAME>", "dmsgd (default), dsgd, dsgt, centralised, ..."),
  momentum: number("<B>", "momentum, default the paper's", 0.5),
  learningRate: number("<G>", "constant; default the paper's (mnist: 0.01 n)", 0.1),
  weightDecay: number("<D>", "default the paper's", 1e-4),
  epochs: whole("<E>", "passes over the data in all, default the paper's", 1, 20),
  batch: whole("<B>", "images or texts a node sees in a step, default the paper's, or 12 texts", 1, 64),
  model: choice("<NAME>", "default the data set's", models.names),
  dropout: number("<P>", "of mnist-cnn (default 0.5) and gpt (default 0)", 0.5),
  from: word("<FILE>", "start from a saved model.safetensors"),
  protocol: choice("<P>", "corrected (default): softmax over classes, shares stay; as-run: as in the paper", [
    "corrected",
    "as-run",
  ]),
  split: word("<S>", "who holds what: iid (default), shards, dirichlet; of a text iid, contiguous, by-file"),
  alpha: number("<A>", "of --split dirichlet, default 0.5: small is uneven", 0.5),
  shards: whole("<K>", "of --split shards: label shards per node, default 2", 1, 2),
  images: whole("<K>", "train on the first K images only", 1, 6000),
  tests: whole("<K>", "test on the first K images only", 1, 1000),
  evaluate: choice(
    "<WHAT>",
    "each epoch: averaged model and every node's on all test images (all, default)," +
      " on its share of them (share), or the averaged model only",
    ["all", "share", "averaged"],
  ),
  workers: whole("<W>", "threads (default: one per core); results do not depend on it", 1, 2),
  ...deviceFlags,
  ...lookFlags,
  out: word("<DIR>", "folder for checkpoint, model, history and figures (default: a new one in runs/)"),
  resume: on("go on with the run in --out, bit for bit; --epochs may be raised"),
  spec: on("print the spec of this run as YAML, for `equitopo run`, and do nothing else"),
};

export interface TrainOptions extends TopologyValues, Given<typeof flags> {
  readonly n?: number;
  readonly seed?: number;
}

/** Metrics are taken so often; evaluations after every epoch. */
const EVERY = 10;

export function documentOf(data: string, options: TrainOptions): SpecDocument {
  const { defaults } = dataSets.get(data);
  const protocol = options.protocol ?? "corrected";
  const topology = topologySpec(options);
  const algorithm = options.algorithm ?? "dmsgd";
  const model = options.model ?? (defaults.model as string);
  const learningRate = options.learningRate ?? defaults.learningRate(topology.n);
  const loaded = plugins();
  return parseSpec({
    ...(loaded.length === 0 ? {} : { plugins: loaded }),
    title: `${data}: ${algorithm} on ${topology.name}, n = ${topology.n}`,
    topologies: [topology],
    algorithms: [{ name: algorithm, ...momentumOf(algorithm, options, defaults.momentum), learningRate }],
    problem: {
      name: "classification",
      // What resnet20 reads are colours.
      data: data === "synthetic" && model === "resnet20" ? { name: data, size: 32, channels: 3 } : data,
      model: modelOf(model, options),
      batch: options.batch ?? defaults.batch,
      split: splitOf(protocol, options),
      softmax: protocol === "as-run" ? "batch" : "classes",
      weightDecay: options.weightDecay ?? defaults.weightDecay,
      try: options.evaluate ?? "all",
      ...defined({ images: options.images, tests: options.tests, start: options.from }),
    },
    epochs: options.epochs ?? defaults.epochs,
    every: EVERY,
    evaluate: "every epoch",
    seeds: [options.seed ?? 0],
    type: "float32",
    ...defined({ precision: options.precision }),
  });
}

function modelOf(name: string, { dropout }: TrainOptions): ModelSpec {
  if (name === "mnist-cnn") return { name, dropout: dropout ?? 0.5 };
  if (dropout === undefined) return name;
  throw new InputError("--dropout belongs to --model mnist-cnn", `--model ${name}`, "leave out --dropout");
}

/** The topology's spec with its defaults written out. */
export function topologySpec({ topology: name = "od-equidyn", nodes, ...options }: TrainOptions): TopologySpec {
  const { n = nodes ?? 17 } = options;
  if (nodes !== undefined && n !== nodes)
    throw new InputError(`--nodes must be the ${n} of --n`, nodes, "give one of them");
  const spec = specFromOptions(name, { ...options, n });
  requireRoom(spec);
  return createTopology(spec).spec;
}

/** What the paper trains with, whose momentum is the data set's; others have their own. */
const paper = ["dmsgd", "centralised"];

function momentumOf(name: string, { momentum }: TrainOptions, preset: number): { momentum?: number } {
  if (momentum !== undefined) return { momentum };
  return paper.includes(name) ? { momentum: preset } : {};
}

function splitOf(protocol: "corrected" | "as-run", { split: name = "iid", alpha, shards }: TrainOptions): Split {
  if (protocol === "as-run") {
    if (name === "iid") return "dealt";
    throw new InputError("as-run deals the data anew over the nodes every epoch", `--split ${name}`, "leave it out");
  }
  for (const [key, value, owner] of [
    ["alpha", alpha, "dirichlet"],
    ["shards", shards, "shards"],
  ] as const) {
    if (value === undefined || name === owner) continue;
    throw new InputError(`--${key} belongs to --split ${owner}`, `--split ${name}`, `add --split ${owner}`);
  }
  if (name === "dirichlet") return { name, alpha: alpha ?? 0.5 };
  return name === "shards" ? { name, shards: shards ?? 2 } : name;
}
