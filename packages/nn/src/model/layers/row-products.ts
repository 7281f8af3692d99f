/**
 * The product of every row of a batch with one weight matrix, y = x W, and its gradients: a dense layer whose batch is all
 * pixels of all images.
 */

import {
  type ConvolutionGeometry,
  convolveScratch,
  rowsScratch,
  rowsTogether,
  vectorBytes,
} from "../../kernel/kernels.ts";
import type { Activation, Pass } from "../layer.ts";

type Side = Pick<Activation, "channels" | "pitch">;

export function rowProducts({ height, width, ...input }: Activation, output: Side) {
  const rowsOf = (images: number) => images * height * width;
  const geometry = (w: number): ConvolutionGeometry => ({
    ...{ h: 1, w, pitch: input.pitch, ic: input.channels, pad: 0, stride: 1, kh: 1, kw: 1 },
    ...{ oh: 1, ow: w, oc: output.channels, outPitch: output.pitch },
  });
  const image = ({ images }: Pass) => [1, 1, rowsOf(images), input.pitch, input.channels, 0, 1, 1, 1] as const;
  const out = ({ images }: Pass) => [1, rowsOf(images), output.channels, output.pitch] as const;
  // The tiles write whole vectors.
  const isWhole = output.channels % 4 === 0;
  return {
    scratchBytes: (images: number) =>
      vectorBytes(Math.max(convolveScratch(geometry(rowsOf(images))), rowsScratch(input.channels, output.pitch))),
    forward(pass: Pass, x: number, weights: number, y: number, scratch: number): void {
      pass.call.convolve(x, ...image(pass), weights, 0, y, ...out(pass), 0, scratch);
    },
    inputGradient(pass: Pass, dy: number, weights: number, dx: number, scratch: number): void {
      pass.call.convolveInputGradient(dy, ...image(pass), weights, dx, ...out(pass), scratch);
    },
    weightGradient(pass: Pass, x: number, dy: number, dw: number, scratch: number): void {
      const { call, images } = pass;
      const [from, to] = [input, output].map(({ channels, pitch }) => [pitch, channels] as const);
      if (isWhole) call.rowsWeightGradient(x, ...from, dy, ...to, rowsOf(images), rowsTogether, dw, scratch);
      else call.convolveWeightGradient(x, ...image(pass), dy, dw, ...out(pass), scratch);
    },
  };
}
