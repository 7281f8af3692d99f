/**
 * Batch norm over halves: kernels that made a value, or its gradient, left two sums a channel and workgroup (finish.ts); here
 * they are added up, in a fixed order, into the tables (shader/value.ts), the running statistics and the gradients of gamma
 * and beta. One workgroup a replica: a thread sums every so-many-th part of one channel.
 */

import type { Kernel } from "../device/program.ts";
import { EPSILON, keepCode, type NormOptions } from "../shader/norm.ts";
import { pixelsOf } from "../shader/value.ts";

export interface SumsOptions extends NormOptions {
  /** [replica][workgroup][first, second][channel], and how many workgroups a replica had. */
  readonly parts: GPUBuffer;
  readonly groups: number;
}

const THREADS = 256;

/** `first` and `second` of channel c, for the threads below `channels`. */
function sums({ value, groups }: SumsOptions): string {
  const { channels } = value.shape;
  const width = 2 * channels;
  const shares = Math.max(1, THREADS / width);
  return `var<workgroup> shared_: array<f32, ${Math.max(THREADS, width)}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
  let count = f32(step.count * ${pixelsOf(value.shape)}u);
  for (var column = me % ${Math.min(width, THREADS)}u; column < ${width}u; column += ${THREADS}u) {
    var share = 0.0;
    for (var k = me / ${width}u; k < ${groups}u; k += ${shares}u) {
      share += parts[(replica * ${groups}u + k) * ${width}u + column];
    }
    shared_[me / ${width}u * ${width}u + column] = share;
  }
  workgroupBarrier();
  for (var c = me; c < ${channels}u; c += ${THREADS}u) {
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
  return {
    label: options.label,
    bindings: [
      { name: "parts", type: "f32", buffer: options.parts },
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "statistics", type: "f32", buffer: options.statistics, write: true },
      { name: "norms", type: "vec4f", buffer: norms.norms, write: true },
    ],
    constants: [options.gamma, options.statisticsAt, value.norm as number],
    code: `${keepCode(options)}${sums(options)}    let mean = first / count;
    let variance = max(0.0, second / count - mean * mean);
    let inverse = 1.0 / sqrt(variance + ${EPSILON});
    let gamma = parameters[replica * ${stride}u + at[0].x + c];
    let beta = parameters[replica * ${stride}u + at[0].x + ${value.shape.channels}u + c];
    norms[replica * ${norms.width}u + at[0].z + c] = vec4f(mean, gamma * inverse, beta, inverse);
    keep(replica, c, mean, variance * select(1.0, count / (count - 1.0), count > 1.0));
  }
}
`,
    workgroups: [1, 1, replicas],
  };
}

/** From sums of g and g (y - mean): dbeta, dgamma, both divided by the loss's scale, and the slopes. */
export function slopesFromSums(options: SumsOptions & { gradients: GPUBuffer; scale: number }): Kernel {
  const { value, norms, replicas, stride, scale } = options;
  return {
    label: options.label,
    bindings: [
      { name: "parts", type: "f32", buffer: options.parts },
      { name: "norms", type: "vec4f", buffer: norms.norms },
      { name: "slopes", type: "vec4f", buffer: norms.slopes, write: true },
      { name: "gradients", type: "f32", buffer: options.gradients, write: true },
    ],
    constants: [options.gamma, 0, value.norm as number],
    code: `${sums(options)}    let entry = replica * ${norms.width}u + at[0].z + c;
    let n = norms[entry];
    let dgamma = second * n.w;
    gradients[replica * ${stride}u + at[0].x + c] = dgamma * ${1 / scale};
    gradients[replica * ${stride}u + at[0].x + ${value.shape.channels}u + c] = first * ${1 / scale};
    slopes[entry] = vec4f(n.y, first / count, n.w * dgamma / count, n.x);
  }
}
`,
    workgroups: [1, 1, replicas],
  };
}
