/** y[oy, ox, o] = b[o] + sum over ky, kx, i of x[oy s + ky - p, ox s + kx - p, i] w[ky, kx, i, o]. */

import { InputError, option } from "equitopo/input";
import { type ConvolutionGeometry, convolveScratch, pitchOf } from "../../kernel/kernels.ts";
import { type Activation, defineLayer, type Layer, type LayerParameter } from "../layer.ts";

export const convolution = defineLayer({
  name: "convolution",
  summary: "a convolution with square kernels",
  options: {
    ...{
      channels: option.required(option.whole(1, 1)),
      kernel: option.required(option.whole(1, 1)),
      stride: option.whole(1, 1),
      pad: option.whole(0, 0),
    },
    ...{ bias: { ...option.flag(), default: true }, relu: option.flag() },
  },
  packed: true,
  build,
});

interface Options {
  readonly channels: number;
  readonly kernel: number;
  readonly stride: number;
  readonly pad: number;
  readonly bias: boolean;
  readonly relu: boolean;
}

function build({ channels, kernel, stride, pad, bias, relu }: Options, input: Activation): Layer {
  const oh = Math.floor((input.height + 2 * pad - kernel) / stride) + 1;
  const ow = Math.floor((input.width + 2 * pad - kernel) / stride) + 1;
  if (!(oh >= 1 && ow >= 1)) {
    throw new InputError(
      `a convolution of size ${kernel} with pad ${pad} needs images of at least ${kernel - 2 * pad} x ${kernel - 2 * pad}`,
      `${input.height} x ${input.width}`,
      "use a smaller kernel or larger images",
    );
  }
  const ic = input.channels;
  const output = { height: oh, width: ow, channels, pitch: pitchOf(channels) };
  const geometry: ConvolutionGeometry = {
    h: input.height,
    w: input.width,
    pitch: input.pitch,
    ic,
    pad,
    stride,
    kh: kernel,
    kw: kernel,
    oh,
    ow,
    oc: channels,
    outPitch: output.pitch,
  };
  const fanIn = kernel * kernel * ic;
  const weights = 4 * fanIn * channels;
  const parameters: LayerParameter[] = [
    { name: "weight", shape: [kernel, kernel, ic, channels], fanIn, start: "uniform" },
  ];
  if (bias) parameters.push({ name: "bias", shape: [channels], fanIn, start: "uniform" });
  const image = [input.height, input.width, input.pitch, ic, pad, stride, kernel, kernel] as const;
  const out = [oh, ow, channels, output.pitch] as const;
  return {
    output,
    parameters,
    statistics: 0,
    readsOutput: relu,
    savedBytes: () => 0,
    // The masked gradient of a fused ReLU stands before the kernels' own scratch.
    scratchBytes: (images) => convolveScratch(geometry) + (relu ? 4 * images * oh * ow * output.pitch : 0),
    forward({ call, images }, { x, y, parameters: at, scratch }) {
      call.convolve(x, images, ...image, at, bias ? at + weights : 0, y, ...out, relu ? 1 : 0, scratch);
    },
    backward({ call, images }, { x, y, dy, dx, parameters: at, gradient, scratch }) {
      let g = dy;
      let free = scratch;
      if (relu) {
        const count = images * oh * ow * output.pitch;
        call.reluGradient(y, dy, scratch, count);
        g = scratch;
        free += 4 * count;
      }
      call.convolveWeightGradient(x, images, ...image, g, gradient, ...out, free);
      if (bias) call.columnSums(g, images * oh * ow, output.pitch, channels, gradient + weights);
      if (dx !== 0) call.convolveInputGradient(g, images, ...image, at, dx, ...out, free);
    },
  };
}
