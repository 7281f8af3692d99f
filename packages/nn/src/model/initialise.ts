/**
 * How parameters begin, seeded; all nodes begin equal, as in the paper's code.
 *   uniform: U(-1/sqrt(fan in), 1/sqrt(fan in)), PyTorch's default for weights and biases;
 *   he:      N(0, 2 / fan in);
 *   normal:  N(0, deviation^2), GPT-2's.
 */

import { fillNormal, RandomStream, streams } from "equitopo/internal/random";
import type { Parameter } from "./spec.ts";

/** Fills `out`, parameter by parameter: number i of the list draws from round i of its stream. */
export function initialise(parameters: readonly Parameter[], seed: number, out: Float32Array): Float32Array {
  parameters.forEach(({ offset, size, fanIn, start, deviation = Math.sqrt(2 / fanIn) }, round) => {
    const part = out.subarray(offset, offset + size);
    if (start === "zeros") part.fill(0);
    else if (start === "ones") part.fill(1);
    else if (start === "he" || start === "normal") {
      fillNormal(part, seed, streams.initialParameters, round);
      for (let k = 0; k < size; k++) part[k] *= deviation;
    } else {
      const stream = new RandomStream(seed, streams.initialParameters, round);
      const bound = 1 / Math.sqrt(fanIn);
      for (let k = 0; k < size; k++) part[k] = (2 * stream.uniform() - 1) * bound;
    }
  });
  return out;
}
