/** Convolutions: the gradients of the input and of the weights go together where the device allows it. */

import { type KnownLayer, layers, type Shape } from "@equitopo/nn/internal";
import { InputError } from "equitopo/internal/input";
import type { Kernel } from "../../device/program.ts";
import { matrixConvolution, rowTiles } from "../../matrix/convolution.ts";
import { type HalfValue, finishForward as halvesForward, normOf } from "../../matrix/finish.ts";
import type { MatrixGeometry } from "../../matrix/layout.ts";
import { SIDE } from "../../matrix/matrix.ts";
import { gradientReader, valueReader } from "../../matrix/reader.ts";
import { matrixTileOf, matrixWeightTileOf } from "../../matrix/settings.ts";
import { matrixWeightCostOf, matrixWeightGradient, matrixWeightParts } from "../../matrix/weight-gradient.ts";
import { convolution } from "../../shader/convolution.ts";
import { finishForward } from "../../shader/elementwise.ts";
import { biasGradient } from "../../shader/norm.ts";
import { sumParts } from "../../shader/row.ts";
import { tileOf, weightTileOf } from "../../shader/tile.ts";
import { gradientOf, readGradient, readValue, rowElement, type Value } from "../../shader/value.ts";
import { weightCostOf, weightGradient, weightParts } from "../../shader/weight-gradient.ts";
import type { Float32Network } from "../float32.ts";
import { type GpuLayer, windows } from "../layer.ts";
import type { MixedNetwork } from "../mixed.ts";
import { together } from "../stage.ts";

type Spec = Extract<KnownLayer, { kind: "convolution" }>;

const nameOf = (kernel: number, from: Shape, to: Shape) =>
  `${kernel}x${kernel} ${from.channels}->${to.channels} at ${to.height}x${to.width}`;

function float32(network: Float32Network, spec: Spec, x: Value): Value {
  const { replicas, batch } = network.options;
  const { kernel, stride = 1, pad = 0, bias: hasBias = true, relu = false, channels } = spec;
  if (stride > 2) throw new InputError("a convolution on the GPU has stride 1 or 2", stride, "train on the CPU");
  const { norms, gradients } = network;
  const shape = { ...windows(x.shape, kernel, stride, pad), channels };
  const out = network.value(shape, relu);
  const weights = network.take();
  const bias = hasBias ? network.take() : undefined;
  const geometry = { source: x.shape, target: shape, kernel, stride, pad, transposed: false };
  const back = { source: shape, target: x.shape, kernel, stride, pad, transposed: true };
  const weightTile = weightTileOf(geometry, batch);
  const backTile = tileOf(back, batch, weightCostOf(geometry, weightTile).threads);
  const size = kernel * kernel * x.shape.channels * channels;
  const count = weightParts(batch, weightTile);
  network.reserveParts(replicas * count * size);
  const name = nameOf(kernel, x.shape, shape);
  const source = readValue("source", x, norms, rowElement(x.shape));
  network.push(
    {
      forward: (_mode, { parameters }) => [
        convolution({
          ...{ ...network.common(`forward ${name}`), geometry, tile: tileOf(geometry, batch), parameters, out: out.y },
          ...{ weights, ...(bias === undefined ? {} : { bias }), source, finish: finishForward(rowElement(shape)) },
          ...{ sourceNorm: x.norm ?? 0, targetNorm: 0 },
        }),
      ],
      backward: ({ parameters }, finish) => {
        const value = network.seen(out);
        const { parts } = network;
        const input =
          finish &&
          convolution({
            ...{ ...network.common(`back ${name}`), geometry: back, tile: backTile, parameters, out: gradientOf(x) },
            ...{ weights, finish: finish(rowElement(x.shape)) },
            source: readGradient("source", value, norms, rowElement(shape)),
            ...{ sourceNorm: value.norm ?? 0, targetNorm: x.norm ?? 0 },
          });
        const own = weightGradient({
          ...{ ...network.common(`weights ${name}`), geometry, tile: weightTile, out: parts, source },
          slope: readGradient("slope", value, norms, rowElement(shape)),
          ...{ sourceNorm: x.norm ?? 0, targetNorm: value.norm ?? 0 },
        });
        return [
          ...together(network.options, name, input, own),
          sumParts({ ...network.common("sum of parts"), parts, count, size, gradients, at: weights }),
          ...(bias === undefined ? [] : [biasGradient({ ...network.common("bias"), value, bias, gradients })]),
        ];
      },
    },
    x,
  );
  return { ...out, readsNorm: true };
}

function mixed(network: MixedNetwork, spec: Spec, x: HalfValue, shared: boolean): HalfValue {
  const { channels, kernel, stride = 1, pad = 0, bias = true, relu = false } = spec;
  const isStem = x.gradient === undefined;
  const shape = { ...windows(x.shape, kernel, stride, pad), channels };
  network.require(kernel === 3 && pad === 1 && !bias && !relu && (stride === 1 || (stride === 2 && !isStem)));
  network.require(isStem || x.relu);
  network.require(channels % SIDE === 0 && Number.isInteger(Math.log2(channels)) && channels <= 128);
  network.require(
    stride === 1 || (x.shape.width % 2 === 0 && x.shape.height % 2 === 0 && (!network.inBlock || shared)),
  );
  network.require(shape.width < SIDE || shape.width % SIDE === 0);
  const { norms, matrices, halves, halfStride } = network;
  const { batch } = network.options;
  const out: HalfValue = network.value(shape, false);
  const weights = network.take();
  const geometry: MatrixGeometry = { source: x.shape, target: shape, stride: stride as 1 | 2, transposed: false };
  const name = nameOf(3, x.shape, shape);
  const source = isStem ? { images: x } : valueReader("source", x, norms, matrices);
  const tile = matrixTileOf(geometry);
  const sums = network.sumsOf(rowTiles(geometry, tile) * batch, channels);
  network.sums.set(out.y, sums);
  const weightTile = matrixWeightTileOf(geometry, batch);
  const place = network.partsOf({
    ...{ at: weights, size: 9 * x.shape.channels * channels, count: matrixWeightParts(batch, weightTile) },
  });
  const common = (label: string) => ({ ...network.common(`${label} ${name}`), matrices, halves, stride: halfStride });
  const reversed = { ...geometry, source: shape, target: x.shape, transposed: true };
  const backTile = matrixTileOf(reversed, matrixWeightCostOf(geometry, weightTile).threads);
  const backSums = isStem ? undefined : network.sumsBack(x, rowTiles(reversed, backTile) * batch);
  network.push(
    {
      forward: () => [
        matrixConvolution({
          ...{ ...common("forward"), geometry, tile, source, finish: halvesForward, weights },
          ...{ out: out.y, parts: sums.parts, sourceNorm: x.norm ?? 0, targetNorm: 0 },
        }),
      ],
      backward: (_bound, finish): Kernel[] => {
        const value = network.seen(out);
        const back =
          finish &&
          backSums &&
          matrixConvolution({
            ...{ ...common("back"), geometry: reversed, tile: backTile, weights, finish: finish() },
            source: gradientReader("source", value, norms, matrices),
            ...{ out: gradientOf(x), parts: backSums.parts },
            ...{ sourceNorm: value.norm as number, targetNorm: normOf(x).norm as number },
          });
        const own = matrixWeightGradient({
          ...{ ...common("weights"), geometry, tile: weightTile, source, ...place() },
          slope: gradientReader("slope", value, norms, matrices),
          ...{ sourceNorm: x.norm ?? 0, targetNorm: value.norm as number },
        });
        return together(network.options, name, back, own);
      },
    },
    x,
  );
  return out;
}

export const convolutions: GpuLayer<Spec> = { ...layers.get("convolution"), float32, mixed };
