/**
 * Batch norm over halves: kernels that made a value, or its gradient, left two sums a channel and workgroup (finish.ts); here
 * they are added up, in a fixed order, into the tables (shader/value.ts), the running statistics and the gradients of gamma
 * and beta. One workgroup a replica: a thread sums every so-many-th part of one channel, written out, so that all are read at
 * once.
 */

import { type Binding, eachGroup, type Kernel, reads, writes } from "../device/program.ts";
import { EPSILON, type NormOptions } from "../shader/norm.ts";
import { pixelsOf } from "../shader/value.ts";

/** [replica][workgroup][first, second][channel], and how many workgroups a replica had. */
export interface Sums {
  readonly parts: GPUBuffer;
  readonly groups: number;
}

type SumsOptions = NormOptions & Sums;

/** Twice as many as a norm has channels at most (plan/mixed.ts). */
const THREADS = 256;

/**
 * A kernel whose `lines` see `first` and `second` of channel c; `ahead` reads what they want of it before the sums are made.
 */
function fromSums(options: SumsOptions, bindings: readonly Binding[], ahead: string, lines: string): Kernel {
  const { value, groups, label, parts, replicas, gamma, statisticsAt } = options;
  const { channels } = value.shape;
  const width = 2 * channels;
  const shares = THREADS / width;
  const code = `var<workgroup> shared_: array<f32, ${THREADS}>;
${eachGroup(THREADS)}  let replica = group.z;
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
${lines}  }
}
`;
  return {
    ...{ label, bindings: [...reads("f32", { parts }), ...bindings], code, workgroups: [1, 1, replicas] },
    constants: [gamma, statisticsAt, value.norm as number],
  };
}

/** Mean and variance from sums of y and y^2, into the table and the running statistics. */
export function momentsFromSums(options: SumsOptions & { parameters: GPUBuffer; statistics: GPUBuffer }): Kernel {
  const { value, norms, stride, parameters, statistics } = options;
  const { channels } = value.shape;
  const bindings = [...writes("f32", { statistics }), ...writes("vec4f", { norms: norms.norms })];
  const ahead = `  let own = min(me, ${channels - 1}u);
  let gamma = parameters[replica * ${stride}u + at[0].x + own];
  let beta = parameters[replica * ${stride}u + at[0].x + ${channels}u + own];
  let kept = replica * ${options.statisticsStride}u + at[0].y + own;
  let keptMean = statistics[kept];
  let keptVariance = statistics[kept + ${channels}u];
`;
  const lines = `    let mean = first / count;
    let variance = max(0.0, second / count - mean * mean);
    let inverse = 1.0 / sqrt(variance + ${EPSILON});
    norms[replica * ${norms.width}u + at[0].z + c] = vec4f(mean, gamma * inverse, beta, inverse);
    let unbiased = variance * select(1.0, count / (count - 1.0), count > 1.0);
    statistics[kept] = step.momentum * mean + (1.0 - step.momentum) * keptMean;
    statistics[kept + ${channels}u] = step.momentum * unbiased + (1.0 - step.momentum) * keptVariance;
`;
  return fromSums(options, [...reads("f32", { parameters }), ...bindings], ahead, lines);
}

/** From sums of g and g (y - mean): dbeta, dgamma, both divided by the loss's scale, and the slopes. */
export function slopesFromSums(options: SumsOptions & { gradients: GPUBuffer; scale: number }): Kernel {
  const { value, norms, stride, scale, gradients } = options;
  const bindings = [
    ...reads("vec4f", { norms: norms.norms }),
    ...[...writes("vec4f", { slopes: norms.slopes }), ...writes("f32", { gradients })],
  ];
  const ahead = `  let entry = replica * ${norms.width}u + at[0].z + min(me, ${value.shape.channels - 1}u);
  let n = norms[entry];
`;
  const lines = `    let dgamma = second * n.w;
    gradients[replica * ${stride}u + at[0].x + c] = dgamma * ${1 / scale};
    gradients[replica * ${stride}u + at[0].x + ${value.shape.channels}u + c] = first * ${1 / scale};
    slopes[entry] = vec4f(n.y, first / count, n.w * dgamma / count, n.x);
`;
  return fromSums(options, bindings, ahead, lines);
}
