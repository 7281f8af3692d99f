/** What a planned network is: stages, each with kernels for its way forward and its way back. */

import type { Kernel } from "../device/program.ts";
import { sideBySide, threadsOf } from "../device/side-by-side.ts";
import type { Value } from "../shader/value.ts";
import type { NetworkOptions } from "./network.ts";

/** What the network's kernels read and write beside its own values. */
export interface Bound {
  /** A row of parameters for each replica, `stride` numbers apart. */
  readonly parameters: GPUBuffer;
  /** Running statistics, `statisticsStride` apart. */
  readonly statistics: GPUBuffer;
}

export interface NetworkPlan {
  readonly stride: number;
  readonly statisticsStride: number;
  /** Where a batch of images goes, and what comes out. */
  readonly images: Value;
  /** Where images are halves, four a pixel: what a half is stored as. */
  readonly half?: { readonly type: "f16" | "f32"; readonly directives: string };
  readonly logits: Value;
  /** Rows of gradients, as those of parameters. */
  readonly gradients: GPUBuffer;
  /** Training: batch statistics, dropout. Evaluation: what `prepare` left, and no dropout. */
  forward(mode: "training" | "evaluation", bound: Bound): Kernel[];
  /** The tables of batch norm from the running statistics, before evaluations. */
  prepare(bound: Bound): Kernel[];
  /** From the gradient of the logits to `gradients`. */
  backward(bound: Bound): Kernel[];
}

/** F: what completes the gradient of a stage's input. */
export interface Stage<F> {
  forward(mode: "training" | "evaluation", bound: Bound): Kernel[];
  prepare?(bound: Bound): Kernel[];
  /** `finish` says what is stored of its input's gradient; undefined where nobody wants it. */
  backward(bound: Bound, finish: F | undefined): Kernel[];
  finish?: F;
}

/**
 * The two halves of a layer's way back, which do not need each other: the gradient of its input, and that of its weights. As one
 * dispatch where both have as many threads and the adapter allows so many buffers.
 */
export function together(
  { gpu }: Pick<NetworkOptions, "gpu">,
  name: string,
  back: Kernel | undefined,
  weights: Kernel,
): Kernel[] {
  if (back === undefined) return [weights];
  if (threadsOf(back) !== threadsOf(weights)) return [back, weights];
  // Weights take longer, so they begin.
  const both = sideBySide(`back and weights ${name}`, weights, back);
  return both.bindings.length <= gpu.limits.maxStorageBuffersPerShaderStage ? [both] : [back, weights];
}
