/** Convolutions with square kernels (correlation.ts). */

import { InputError, option, type Values } from "equitopo/internal/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { type Activation, bare, defineLayer, type Layer, type LayerParameter } from "../layer.ts";
import { correlation } from "./correlation.ts";

const options = {
  ...{ channels: option.required(option.whole(1, 1)), kernel: option.required(option.whole(1, 1)) },
  ...{ stride: option.whole(1, 1), pad: option.whole(0, 0) },
  ...{ bias: { ...option.flag(), default: true }, relu: option.flag() },
};

export const convolution = defineLayer({
  ...{ name: "convolution", summary: "a convolution with square kernels", options },
  packed: true,
  build,
});

function build({ channels, kernel, stride, pad, ...how }: Values<typeof options>, input: Activation): Layer {
  const { height: h, width: w, pitch, channels: ic } = input;
  const side = (length: number) => Math.floor((length + 2 * pad - kernel) / stride) + 1;
  const [oh, ow] = [side(h), side(w)];
  if (!(oh >= 1 && ow >= 1)) {
    throw new InputError(
      `a convolution of size ${kernel} with pad ${pad} needs images of at least ${kernel - 2 * pad} x ${kernel - 2 * pad}`,
      `${h} x ${w}`,
      "use a smaller kernel or larger images",
    );
  }
  const output = { height: oh, width: ow, channels, pitch: pitchOf(channels) };
  const fanIn = kernel * kernel * ic;
  const parameters: LayerParameter[] = [
    { name: "weight", shape: [kernel, kernel, ic, channels], fanIn, start: "uniform" },
  ];
  if (how.bias) parameters.push({ name: "bias", shape: [channels], fanIn, start: "uniform" });
  return {
    ...{ ...bare, output, parameters, readsOutput: how.relu },
    ...correlation(
      (images) => ({
        ...{ images, h, w, pitch, ic, pad, stride, kh: kernel, kw: kernel },
        ...{ oh, ow, oc: channels, outPitch: output.pitch },
      }),
      how,
    ),
  };
}
