/**
 * The passes of a convolution: y[oy, ox, o] = b[o] + sum over ky, kx, i of x[oy s + ky - p, ox s + kx - p, i] w[ky, kx, i, o],
 * and max(0, y) with ReLU. A dense layer has the same passes: its batch is one image, whose pixels are the rows.
 */

import { type ConvolutionGeometry, convolveScratch } from "../../kernel/kernels.ts";
import type { Layer } from "../layer.ts";

export function correlation(
  geometryOf: (images: number) => ConvolutionGeometry & { readonly images: number },
  { bias, relu }: { readonly bias: boolean; readonly relu: boolean },
): Pick<Layer, "scratchBytes" | "forward" | "backward"> {
  const settled = (batch: number) => {
    const g = geometryOf(batch);
    return {
      image: [g.images, g.h, g.w, g.pitch, g.ic, g.pad, g.stride, g.kh, g.kw] as const,
      out: [g.oh, g.ow, g.oc, g.outPitch] as const,
      ...{ pixels: g.images * g.oh * g.ow, weights: 4 * g.kh * g.kw * g.ic * g.oc, scratch: convolveScratch(g) },
      // The masked gradient of a fused ReLU is stored before the kernels' own scratch.
      maskedBytes: relu ? 4 * g.images * g.oh * g.ow * g.outPitch : 0,
    };
  };
  return {
    scratchBytes(batch) {
      const { scratch, maskedBytes } = settled(batch);
      return scratch + maskedBytes;
    },
    forward({ call, images: batch }, { x, y, parameters, scratch }) {
      const { image, out, weights } = settled(batch);
      call.convolve(x, ...image, parameters, bias ? parameters + weights : 0, y, ...out, relu ? 1 : 0, scratch);
    },
    backward({ call, images: batch }, { x, y, dy, dx, parameters, gradient, scratch }) {
      const { image, out, pixels, weights, maskedBytes } = settled(batch);
      const [, , channels, pitch] = out;
      if (relu) call.reluGradient(y, dy, scratch, pixels * pitch);
      const g = relu ? scratch : dy;
      const free = scratch + maskedBytes;
      call.convolveWeightGradient(x, ...image, g, gradient, ...out, free);
      if (bias) call.columnSums(g, pixels, pitch, channels, gradient + weights);
      if (dx !== 0) call.convolveInputGradient(g, ...image, parameters, dx, ...out, free);
    },
  };
}
