/**
 * What the words of `equitopo train` mean, as a spec: the data set's defaults (Appendix D.3, with the learning rates as
 * run), the protocol, and what was given on the command line. Whoever has the spec can go on with `equitopo run`.
 */

import { dataSets, type ModelSpec, type Split } from "@equitopo/nn";
import { InputError, type SpecDocument, type TopologySpec } from "equitopo";
import { plugins } from "../loaded-plugins.ts";
import { type TopologyValues, topologyFromOptions } from "../topology-options.ts";

/** As commander hands them over. */
export interface TrainOptions extends TopologyValues {
  readonly n?: number;
  readonly nodes?: number;
  readonly topology?: string;
  readonly algorithm?: string;
  readonly momentum?: number;
  readonly learningRate?: number;
  readonly weightDecay?: number;
  readonly epochs?: number;
  readonly batch?: number;
  readonly model?: string;
  readonly dropout?: number;
  readonly protocol?: "corrected" | "as-run";
  readonly split?: string;
  readonly alpha?: number;
  readonly shards?: number;
  readonly images?: number;
  readonly tests?: number;
  readonly evaluate?: "all" | "share" | "averaged";
  readonly from?: string;
  readonly seed?: number;
  readonly precision?: "float32" | "mixed";
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
  return {
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
      ...(options.images === undefined ? {} : { images: options.images }),
      ...(options.tests === undefined ? {} : { tests: options.tests }),
      ...(options.from === undefined ? {} : { start: options.from }),
    },
    epochs: options.epochs ?? defaults.epochs,
    every: EVERY,
    evaluate: "every epoch",
    seeds: [options.seed ?? 0],
    type: "float32",
    ...(options.precision === undefined ? {} : { precision: options.precision }),
  };
}

function modelOf(name: string, { dropout }: TrainOptions): ModelSpec {
  if (name === "mnist-cnn") return { name, dropout: dropout ?? 0.5 };
  if (dropout === undefined) return name;
  throw new InputError("--dropout belongs to --model mnist-cnn", `--model ${name}`, "leave out --dropout");
}

/** The topology's spec with its defaults written out. */
function topologySpec({ topology: name = "od-equidyn", nodes, ...options }: TrainOptions): TopologySpec {
  const { n = nodes ?? 17 } = options;
  if (nodes !== undefined && n !== nodes)
    throw new InputError(`--nodes must be the ${n} of --n`, nodes, "give one of them");
  return topologyFromOptions(name, { ...options, n }).spec;
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
  if (alpha !== undefined && name !== "dirichlet") {
    throw new InputError("--alpha belongs to --split dirichlet", `--split ${name}`, "add --split dirichlet");
  }
  if (shards !== undefined && name !== "shards") {
    throw new InputError("--shards belongs to --split shards", `--split ${name}`, "add --split shards");
  }
  if (name === "dirichlet") return { name, alpha: alpha ?? 0.5 };
  return name === "shards" ? { name, shards: shards ?? 2 } : name;
}
