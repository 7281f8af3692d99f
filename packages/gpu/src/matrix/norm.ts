/**
 * Batch norm over halves: kernels that made a value, or its gradient, left two sums a channel and workgroup (finish.ts); here
 * they are added up, in a fixed order, into the tables (shader/value.ts), the running statistics and the gradients of gamma
 * and beta. One workgroup a replica: a thread sums every so-many-th part of one channel, written out, so that all are read at
 * once.
 */

import type { Kernel } from "../device/program.ts";
import { EPSILON, type NormOptions } from "../shader/norm.ts";
import { pixelsOf } from "../shader/value.ts";

export interface SumsOptions extends NormOptions {
  /** [replica][workgroup][first, second][channel], and how many workgroups a replica had. */
  readonly parts: GPUBuffer;
  readonly groups: number;
}

/** Twice as many as a norm has channels at most (plan/mixed.ts). */
const THREADS = 256;

/** `first` and `second` of channel c, for the threads below `channels`; `ahead` reads what is wanted then of channel `own`. */
function sums({ value, groups }: SumsOptions, ahead: string): string {
  const { channels } = value.shape;
  const width = 2 * channels;
  const shares = THREADS / width;
  return `var<workgroup> shared_: array<f32, ${THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
  let count = f32(step.count * ${pixelsOf(value.shape)}u);
${ahead}  let column = me % ${width}u;
  var share = 0.0;
${Array.from({ length: Math.ceil(groups / shares) }, (_, j) => {
  const k = `me / ${width}u + ${j * shares}u`;
  const line = `share += parts[(replica * ${groups}u + ${k}) * ${width}u + column];`;
  return `  ${(j + 1) * shares > groups ? `if (${k} < ${groups}u) { ${line} }` : line}\n`;
}).join("")}  shared_[me] = share;
  workgroupBarrier();
  if (me < ${channels}u) {
    let c = me;
    var first = 0.0;
    var second = 0.0;
    for (var k = 0u; k < ${shares}u; k++) {
      first += shared_[k * ${width}u + c];
      second += shared_[k * ${width}u + ${channels}u + c];
    }
`;
}

/** Mean and variance from sums of y and y^2, into the table and the running statistics. */
export function momentsFromSums(options: SumsOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, replicas, stride } = options;
  const { channels } = value.shape;
  const ahead = `  let own = min(me, ${channels - 1}u);
  let gamma = parameters[replica * ${stride}u + at[0].x + own];
  let beta = parameters[replica * ${stride}u + at[0].x + ${channels}u + own];
  let kept = replica * ${options.statisticsStride}u + at[0].y + own;
  let keptMean = statistics[kept];
  let keptVariance = statistics[kept + ${channels}u];
`;
  return {
    label: options.label,
    bindings: [
      { name: "parts", type: "f32", buffer: options.parts },
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "statistics", type: "f32", buffer: options.statistics, write: true },
      { name: "norms", type: "vec4f", buffer: norms.norms, write: true },
    ],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    code: `${sums(options, ahead)}    let mean = first / count;
    let variance = max(0.0, second / count - mean * mean);
    let inverse = 1.0 / sqrt(variance + ${EPSILON});
    norms[replica * ${norms.width}u + at[0].z + c] = vec4f(mean, gamma * inverse, beta, inverse);
    let unbiased = variance * select(1.0, count / (count - 1.0), count > 1.0);
    statistics[kept] = step.momentum * mean + (1.0 - step.momentum) * keptMean;
    statistics[kept + ${value.shape.channels}u] = step.momentum * unbiased + (1.0 - step.momentum) * keptVariance;
  }
}
`,
    workgroups: [1, 1, replicas],
  };
}

/** From sums of g and g (y - mean): dbeta, dgamma, both divided by the loss's scale, and the slopes. */
export function slopesFromSums(options: SumsOptions & { gradients: GPUBuffer; scale: number }): Kernel {
  const { value, norms, replicas, stride, scale } = options;
  const ahead = `  let entry = replica * ${norms.width}u + at[0].z + min(me, ${value.shape.channels - 1}u);
  let n = norms[entry];
`;
  return {
    label: options.label,
    bindings: [
      { name: "parts", type: "f32", buffer: options.parts },
      { name: "norms", type: "vec4f", buffer: norms.norms },
      { name: "slopes", type: "vec4f", buffer: norms.slopes, write: true },
      { name: "gradients", type: "f32", buffer: options.gradients, write: true },
    ],
    constants: [options.gamma, 0, value.norm as number],
    code: `${sums(options, ahead)}    let dgamma = second * n.w;
    gradients[replica * ${stride}u + at[0].x + c] = dgamma * ${1 / scale};
    gradients[replica * ${stride}u + at[0].x + ${value.shape.channels}u + c] = first * ${1 / scale};
    slopes[entry] = vec4f(n.y, first / count, n.w * dgamma / count, n.x);
  }
}
`,
    workgroups: [1, 1, replicas],
  };
}
