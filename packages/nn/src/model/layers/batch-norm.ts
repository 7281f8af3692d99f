/**
 * Batch normalisation: (x - mean) gamma / sqrt(variance + 1e-5) + beta per channel, over the batch in training, by the
 * running statistics otherwise. Those are no parameters: they stay with their node, and a model made by averaging
 * estimates its own (model.ts). running <- (1 - momentum) running + momentum batch, the variance unbiased.
 */

import { option } from "equitopo/input";
import { type Activation, defineLayer, type Layer } from "../layer.ts";

const EPSILON = 1e-5;

export const batchNorm = defineLayer({
  name: "batch-norm",
  summary: "normalises every channel over the batch",
  options: { relu: option.flag() },
  build,
});

function build({ relu }: { readonly relu: boolean }, input: Activation): Layer {
  const { channels, pitch } = input;
  const pixels = input.height * input.width;
  const flag = relu ? 1 : 0;
  return {
    output: input,
    parameters: [
      { name: "weight", shape: [channels], fanIn: 1, start: "ones" },
      { name: "bias", shape: [channels], fanIn: 1, start: "zeros" },
    ],
    statistics: 2 * pitch,
    startStatistics: (out) => out.fill(0, 0, pitch).fill(1, pitch),
    readsOutput: relu,
    savedBytes: () => 8 * pitch,
    scratchBytes: (images) => 4 * images * pixels * pitch,
    forward({ call, images, training, momentum }, { x, y, parameters, statistics, saved }) {
      const count = images * pixels;
      const from = training ? saved : statistics;
      if (training) {
        call.moments(x, count, pitch, saved, saved + 4 * pitch);
        if (momentum > 0) {
          const unbiased = count > 1 ? count / (count - 1) : 1;
          call.axpby(momentum, saved, 1 - momentum, statistics, pitch);
          call.axpby(momentum * unbiased, saved + 4 * pitch, 1 - momentum, statistics + 4 * pitch, pitch);
        }
      }
      const [gamma, beta] = [parameters, parameters + 4 * channels];
      call.normalise(x, from, from + 4 * pitch, gamma, beta, EPSILON, count, pitch, channels, y, flag);
    },
    backward({ call, images }, { x, y, dy, dx, parameters, saved, gradient, scratch }) {
      const [count, variance, dbeta] = [images * pixels, saved + 4 * pitch, gradient + 4 * channels];
      const size = [EPSILON, count, pitch, channels] as const;
      // Its gradient is needed for gamma and beta even where nobody asks for dx.
      call.normaliseGradient(x, y, dy, saved, variance, parameters, ...size, dx || scratch, gradient, dbeta, flag);
    },
  };
}
