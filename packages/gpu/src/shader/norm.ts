/**
 * Batch norm: the mean and variance of every channel over the batch, in two passes as on the CPU, and what its gradient
 * needs. One workgroup a channel and replica. What it leaves are four numbers a channel for whoever reads the value
 * (value.ts), and the running statistics: running <- (1 - momentum) running + momentum batch, the variance unbiased.
 */

import type { Kernel } from "../device/program.ts";
import { threadsFor, workgroupSum } from "./reduce.ts";
import { gradientOf, lanes, type Norms, numbersOf, pixelsOf, planeElement, type Value } from "./value.ts";

export const EPSILON = 1e-5;

export interface NormOptions {
  readonly label: string;
  readonly value: Value;
  readonly norms: Norms;
  readonly replicas: number;
  readonly batch: number;
  /** Numbers from one replica's parameters, and from one's statistics, to the next's. */
  readonly stride: number;
  readonly statisticsStride: number;
  /** Where gamma, beta (after it) and the running mean and variance begin. */
  readonly gamma: number;
  readonly statisticsAt: number;
}

const entry = (threads: number) => `@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let channel = group.x;
  let replica = group.z;
`;

/** Visits every element of the channel: `line` sees its index as i. */
function overChannel({ value, batch }: NormOptions, threads: number, line: string): string {
  const step = lanes(planeElement(value.shape));
  const plane = pixelsOf(value.shape) / step;
  return `  for (var k = me; k < step.count * ${plane}u; k += ${threads}u) {
    let i = (replica * ${batch}u + k / ${plane}u) * ${numbersOf(value.shape) / step}u + channel * ${plane}u + k % ${plane}u;
    ${line}
  }
`;
}

/** The sum over the lanes of an element. */
const across = (options: NormOptions, name: string) =>
  planeElement(options.value.shape) === "f32" ? name : `(${name}.x + ${name}.y) + (${name}.z + ${name}.w)`;

const padded = ({ value }: NormOptions) => Math.ceil(value.shape.channels / 4) * 4;

const threadsOf = ({ value, batch }: NormOptions) =>
  threadsFor((batch * pixelsOf(value.shape)) / lanes(planeElement(value.shape)));

/** Mean and variance of the batch, into the table and into the running statistics. */
export function normMoments(options: NormOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, replicas, stride } = options;
  const element = planeElement(value.shape);
  const threads = threadsOf(options);
  return {
    label: options.label,
    bindings: [
      { name: "y", type: element, buffer: value.y },
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "statistics", type: "f32", buffer: options.statistics, write: true },
      { name: "norms", type: "vec4f", buffer: norms.norms, write: true },
    ],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    code: `${workgroupSum("total", threads)}${keepCode(options)}${entry(threads)}${padding(options)}  let count = f32(step.count * ${pixelsOf(value.shape)}u);
  var sum = ${element}();
${overChannel(options, threads, "sum += y[i];")}  let mean = total(me, ${across(options, "sum")}) / count;
  var squares = ${element}();
${overChannel(options, threads, "let d = y[i] - mean; squares += d * d;")}  let variance = total(me, ${across(options, "squares")}) / count;
  if (me != 0u) { return; }
  let inverse = 1.0 / sqrt(variance + ${EPSILON});
  let gamma = parameters[replica * ${stride}u + at[0].x + channel];
  let beta = parameters[replica * ${stride}u + at[0].x + ${value.shape.channels}u + channel];
  norms[replica * ${norms.width}u + at[0].z + channel] = vec4f(mean, gamma * inverse, beta, inverse);
  keep(replica, channel, mean, variance * select(1.0, count / (count - 1.0), count > 1.0));
}
`,
    workgroups: [padded(options), 1, replicas],
  };
}

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

/** The table from running statistics, for evaluations. */
export function normFromStatistics(options: NormOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, replicas, stride, statisticsStride } = options;
  return {
    label: options.label,
    bindings: [
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "statistics", type: "f32", buffer: options.statistics },
      { name: "norms", type: "vec4f", buffer: norms.norms, write: true },
    ],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    code: `@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let channel = id.x;
  let replica = id.z;
  if (channel >= ${value.shape.channels}u) { return; }
  let kept = replica * ${statisticsStride}u + at[0].y + channel;
  let inverse = 1.0 / sqrt(statistics[kept + ${padded(options)}u] + ${EPSILON});
  let gamma = parameters[replica * ${stride}u + at[0].x + channel];
  let beta = parameters[replica * ${stride}u + at[0].x + ${value.shape.channels}u + channel];
  norms[replica * ${norms.width}u + at[0].z + channel] = vec4f(statistics[kept], gamma * inverse, beta, inverse);
}
`,
    workgroups: [Math.ceil(value.shape.channels / 64), 1, replicas],
  };
}

/** With g the value's gradient and z = (y - mean) / sqrt(variance + epsilon): dbeta = sum g, dgamma = sum g z, and the slopes. */
export function normGradient(options: NormOptions & { gradients: GPUBuffer }): Kernel {
  const { value, norms, replicas, stride } = options;
  const element = planeElement(value.shape);
  const threads = threadsOf(options);
  return {
    label: options.label,
    bindings: [
      { name: "y", type: element, buffer: value.y },
      { name: "g", type: element, buffer: gradientOf(value) },
      { name: "norms", type: "vec4f", buffer: norms.norms },
      { name: "slopes", type: "vec4f", buffer: norms.slopes, write: true },
      { name: "gradients", type: "f32", buffer: options.gradients, write: true },
    ],
    constants: [options.gamma, 0, value.norm as number],
    code: `${workgroupSum("total", threads)}${entry(threads)}  let count = f32(step.count * ${pixelsOf(value.shape)}u);
  let entry = replica * ${norms.width}u + at[0].z + channel;
  let n = norms[entry];
  var sum = ${element}();
  var products = ${element}();
${overChannel(options, threads, "let d = g[i]; sum += d; products += d * ((y[i] - n.x) * n.w);")}  let dbeta = total(me, ${across(options, "sum")});
  let dgamma = total(me, ${across(options, "products")});
  if (me != 0u) { return; }
  gradients[replica * ${stride}u + at[0].x + channel] = dgamma;
  gradients[replica * ${stride}u + at[0].x + ${value.shape.channels}u + channel] = dbeta;
  slopes[entry] = vec4f(n.y, dbeta / count, n.w * dgamma / count, n.x);
}
`,
    workgroups: [value.shape.channels, 1, replicas],
  };
}

/** The gradient of a convolution's bias: the sum of a channel's gradient. */
export function biasGradient(options: NormOptions & { gradients: GPUBuffer }): Kernel {
  const { value, replicas, stride } = options;
  const element = planeElement(value.shape);
  const threads = threadsOf(options);
  return {
    label: options.label,
    bindings: [
      { name: "g", type: element, buffer: gradientOf(value) },
      { name: "gradients", type: "f32", buffer: options.gradients, write: true },
    ],
    constants: [options.gamma],
    code: `${workgroupSum("total", threads)}${entry(threads)}  var sum = ${element}();
${overChannel(options, threads, "sum += g[i];")}  let all = total(me, ${across(options, "sum")});
  if (me == 0u) { gradients[replica * ${stride}u + at[0].x + channel] = all; }
}
`,
    workgroups: [value.shape.channels, 1, replicas],
  };
}
