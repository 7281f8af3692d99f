/**
 * Batch norm: the mean and variance of every channel over the batch, in two passes as on the CPU, and what its gradient
 * needs. One workgroup a channel and replica. What it leaves are four numbers a channel for whoever reads the value
 * (value.ts), and the running statistics: running <- (1 - momentum) running + momentum batch, the variance unbiased.
 */

import { type Binding, eachGroup, eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { threadsFor, workgroupSum } from "./reduce.ts";
import { gradientOf, type LayerOptions, lanes, numbersOf, pixelsOf, planeElement, type Value } from "./value.ts";

export const EPSILON = 1e-5;

export interface NormOptions extends LayerOptions {
  readonly value: Value;
  /** Numbers from one replica's parameters, and from one's statistics, to the next's. */
  readonly stride: number;
  readonly statisticsStride: number;
  /** Where gamma, beta (after it) and the running mean and variance begin. */
  readonly gamma: number;
  readonly statisticsAt: number;
}

type Channels = Pick<NormOptions, "value" | "batch">;

/** What a workgroup does for each channel: `lines` see `channel`, `replica`, and sums of all threads by `total`. */
interface PerChannel {
  readonly bindings: readonly Binding[];
  readonly constants: readonly number[];
  readonly channels?: number;
  readonly functions?: string;
  readonly lines: string;
}

function eachChannel(
  options: Channels & Pick<NormOptions, "label" | "replicas">,
  { bindings, constants, channels = options.value.shape.channels, functions = "", lines }: PerChannel,
): Kernel {
  const threads = threadsOf(options);
  const code = `${workgroupSum(threads)}${functions}${eachGroup(threads)}  let channel = group.x;
  let replica = group.z;
${lines}}
`;
  return { label: options.label, bindings, constants, code, workgroups: [channels, 1, options.replicas] };
}

/** Visits every element of the channel: `line` sees its index as i. */
function overChannel(options: Channels, line: string): string {
  const { value, batch } = options;
  const step = lanes(planeElement(value.shape));
  const plane = pixelsOf(value.shape) / step;
  return `  for (var k = me; k < step.count * ${plane}u; k += ${threadsOf(options)}u) {
    let i = (replica * ${batch}u + k / ${plane}u) * ${numbersOf(value.shape) / step}u + channel * ${plane}u + k % ${plane}u;
    ${line}
  }
`;
}

const across = (options: Channels, name: string) =>
  planeElement(options.value.shape) === "f32" ? name : `(${name}.x + ${name}.y) + (${name}.z + ${name}.w)`;

const padded = ({ value }: NormOptions) => Math.ceil(value.shape.channels / 4) * 4;

const threadsOf = ({ value, batch }: Channels) =>
  threadsFor((batch * pixelsOf(value.shape)) / lanes(planeElement(value.shape)));

/** Mean and variance of the batch, into the table and into the running statistics. */
export function normMoments(options: NormOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, parameters, statistics } = options;
  const element = planeElement(value.shape);
  return eachChannel(options, {
    bindings: [
      ...[...reads(element, { y: value.y }), ...reads("f32", { parameters })],
      ...[...writes("f32", { statistics }), ...writes("vec4f", { norms: norms.norms })],
    ],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    channels: padded(options),
    functions: keepCode(options),
    lines: `${padding(options)}  let count = f32(step.count * ${pixelsOf(value.shape)}u);
  var sum = ${element}();
${overChannel(options, "sum += y[i];")}  let mean = total(me, ${across(options, "sum")}) / count;
  var squares = ${element}();
${overChannel(options, "let d = y[i] - mean; squares += d * d;")}  let variance = total(me, ${across(options, "squares")}) / count;
  if (me != 0u) { return; }
${tableEntry(options)}  keep(replica, channel, mean, variance * select(1.0, count / (count - 1.0), count > 1.0));
`,
  });
}

/** A channel's entry in the table, from `mean` and `variance`. */
const tableEntry = ({ value, norms, stride }: NormOptions) => `  let inverse = 1.0 / sqrt(variance + ${EPSILON});
  let gamma = parameters[replica * ${stride}u + at[0].x + channel];
  let beta = parameters[replica * ${stride}u + at[0].x + ${value.shape.channels}u + channel];
  norms[replica * ${norms.width}u + at[0].z + channel] = vec4f(mean, gamma * inverse, beta, inverse);
`;

/** `fn keep(replica, channel, mean, variance)`: into the running statistics. */
const keepCode = (options: NormOptions) => `fn keep(replica: u32, channel: u32, mean: f32, variance: f32) {
  let kept = replica * ${options.statisticsStride}u + at[0].y + channel;
  let spread = kept + ${padded(options)}u;
  statistics[kept] = step.momentum * mean + (1.0 - step.momentum) * statistics[kept];
  statistics[spread] = step.momentum * variance + (1.0 - step.momentum) * statistics[spread];
}
`;

/** Channels that fill up the last four have running statistics too, of nothing but zeros, as on the CPU. */
const padding = (options: NormOptions) =>
  padded(options) === options.value.shape.channels
    ? ""
    : `  if (channel >= ${options.value.shape.channels}u) {
    if (me == 0u) { keep(replica, channel, 0.0, 0.0); }
    return;
  }
`;

export function normFromStatistics(options: NormOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, statisticsStride, parameters, statistics } = options;
  return eachPlace(options, {
    ...{ count: value.shape.channels, threads: 64 },
    bindings: [...reads("f32", { parameters, statistics }), ...writes("vec4f", { norms: norms.norms })],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    lines: `  let channel = id.x;
  let kept = replica * ${statisticsStride}u + at[0].y + channel;
  let mean = statistics[kept];
  let variance = statistics[kept + ${padded(options)}u];
${tableEntry(options)}`,
  });
}

/** With g the value's gradient and z = (y - mean) / sqrt(variance + epsilon): dbeta = sum g, dgamma = sum g z, and the slopes. */
export function normGradient(options: NormOptions & { gradients: GPUBuffer }): Kernel {
  const { value, norms, stride, gradients } = options;
  const element = planeElement(value.shape);
  return eachChannel(options, {
    bindings: [
      ...[...reads(element, { y: value.y, g: gradientOf(value) }), ...reads("vec4f", { norms: norms.norms })],
      ...[...writes("vec4f", { slopes: norms.slopes }), ...writes("f32", { gradients })],
    ],
    constants: [options.gamma, 0, value.norm as number],
    lines: `  let count = f32(step.count * ${pixelsOf(value.shape)}u);
  let entry = replica * ${norms.width}u + at[0].z + channel;
  let n = norms[entry];
  var sum = ${element}();
  var products = ${element}();
${overChannel(options, "let d = g[i]; sum += d; products += d * ((y[i] - n.x) * n.w);")}  let dbeta = total(me, ${across(options, "sum")});
  let dgamma = total(me, ${across(options, "products")});
  if (me != 0u) { return; }
  gradients[replica * ${stride}u + at[0].x + channel] = dgamma;
  gradients[replica * ${stride}u + at[0].x + ${value.shape.channels}u + channel] = dbeta;
  slopes[entry] = vec4f(n.y, dbeta / count, n.w * dgamma / count, n.x);
`,
  });
}

/** The gradient of a convolution's bias: the sum of a channel's gradient. */
export function biasGradient(
  options: Channels & Pick<NormOptions, "label" | "replicas" | "stride"> & { bias: number; gradients: GPUBuffer },
): Kernel {
  const { value, stride, gradients } = options;
  const element = planeElement(value.shape);
  return eachChannel(options, {
    bindings: [...reads(element, { g: gradientOf(value) }), ...writes("f32", { gradients })],
    constants: [options.bias],
    lines: `  var sum = ${element}();
${overChannel(options, "sum += g[i];")}  let all = total(me, ${across(options, "sum")});
  if (me == 0u) { gradients[replica * ${stride}u + at[0].x + channel] = all; }
`,
  });
}
