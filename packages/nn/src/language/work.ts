/**
 * What a thread does of a language problem: one node's gradient, or one model on some of the validation text. As in
 * classification/work.ts, no task reads what another of the same command writes.
 */

import type { Work } from "equitopo";
import { exp } from "equitopo/number";
import { createNnKernels, vectorBytes } from "../kernel/kernels.ts";
import type { Model } from "../model/model.ts";
import { createModel } from "../model/registry.ts";
import type { Tokens } from "../text/tokens.ts";
import type { Settings } from "./settings.ts";
import { drawWindows, placeWindows, type Share, windowCount } from "./windows.ts";

export const commands = { gradient: 0, tryPart: 1, tryAll: 2, probe: 3 } as const;

/** Validation windows whose outputs nodes compare, evenly spread over the text. */
export const PROBES = 4;

/** Rows of the nodes here; shared where threads are. */
export interface Staging {
  readonly x: Float32Array;
  /** Their gradients; in an evaluation their copies of the averaged model. */
  readonly y: Float32Array;
  /** What their own models say after every token of the probes: a probability for each token of the vocabulary. */
  readonly outputs: Float32Array;
  /** A loss for each task. */
  readonly results: Float64Array;
}

/** Everything that a thread needs: plain data and shared memory. */
export interface Plan {
  readonly settings: Settings;
  readonly vocabulary: number;
  readonly first: number;
  /** Of the nodes here. */
  readonly shares: readonly Share[];
  readonly train: Tokens;
  readonly validation: Tokens;
  readonly staging: Staging;
}

/** The network of these settings, over a vocabulary. */
export const modelOf = ({ model }: Pick<Settings, "model">, vocabulary: number): Model =>
  createModel(model, { shape: { height: 1, width: 1, channels: 1 }, classes: vocabulary, reads: "text" });

export function workOf({ settings, vocabulary, first, shares, train, validation, staging }: Plan): Work {
  const { n, batch, seed } = settings;
  const model = modelOf(settings, vocabulary);
  const { parameterCount: d, rows: context } = model;
  const [x, gradientAt] = [16, 16 + vectorBytes(4 * d)];
  const workspace = gradientAt + vectorBytes(4 * d);
  const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
  const network = model.bind(kernels, workspace, batch);
  const parameters = new Float32Array(kernels.memory.buffer, x, d);
  const gradient = new Float32Array(kernels.memory.buffer, gradientAt, d);
  const windows = windowCount(validation, context);

  function gradientOf(k: number, t: number): void {
    const draw = { seed, round: t * n + first + k };
    drawWindows(network, train, shares[k], draw);
    parameters.set(row(staging.x, k, d));
    staging.results[k] = network.lossAndGradient({ ...draw, parameters: x, gradient: gradientAt, count: batch });
    row(staging.y, k, d).set(gradient);
  }

  /** The sum of losses over windows from .. to - 1 of the validation text. */
  function lossOf(from: number, to: number): number {
    let sum = 0;
    for (let window = from; window < to; window += batch) {
      const count = Math.min(batch, to - window);
      placeWindows(
        network,
        validation,
        Array.from({ length: count }, (_, k) => window + k),
      );
      network.forward({ parameters: x, count });
      sum += network.lossSum(count);
    }
    return sum;
  }

  /** Part i of n of the validation windows. */
  const part = (i: number) => Math.floor((i * windows) / n);

  function probe(k: number): void {
    const out = row(staging.outputs, k, staging.outputs.length / shares.length);
    const probes = Math.min(PROBES, windows);
    for (let p = 0; p < probes; p++) {
      placeWindows(network, validation, [Math.floor((p * windows) / probes)]);
      const scores = network.forward({ parameters: x, count: 1 });
      for (let position = 0; position < context; position++) {
        const at = position * network.logitPitch;
        const own = row(out, p * context + position, vocabulary);
        own.set(softmax(scores.subarray(at, at + vocabulary)));
      }
    }
  }

  return (command, task, args) => {
    if (command === commands.gradient) gradientOf(args[1] + task, args[0]);
    else {
      const k = command === commands.tryAll ? Math.floor(task / n) : task;
      parameters.set(row(command === commands.tryPart ? staging.y : staging.x, k, d));
      if (command === commands.probe) return probe(k);
      const i = command === commands.tryAll ? task % n : first + k;
      staging.results[task] = lossOf(part(i), part(i + 1));
    }
  };
}

const row = (rows: Float32Array, k: number, width: number) => rows.subarray(k * width, (k + 1) * width);

/** Probabilities from scores that were divided by a temperature. */
export function softmax(scores: ArrayLike<number>, temperature = 1): Float64Array {
  const top = Array.from(scores).reduce((a, b) => Math.max(a, b));
  const out = Float64Array.from(scores, (score) => exp((score - top) / temperature));
  const sum = out.reduce((a, b) => a + b);
  return out.map((value) => value / sum);
}
