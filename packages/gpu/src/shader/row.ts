/**
 * Row kernels: what is done to whole rows of parameters. Rows are `stride` numbers apart, a multiple of four. The table
 * of replicas says which run a replica belongs to (philox.ts); `span` and `links` hold, for each slot of steps, the rows
 * and weights that node i's new row is made of, in the order of additions that rounds define.
 */

import type { Kernel } from "../device/program.ts";

const THREADS = 128;

export interface RowOptions {
  readonly label: string;
  readonly replicas: number;
  /** Numbers of a row, a multiple of four. */
  readonly stride: number;
}

const entry = (stride: number) => `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${stride / 4}u) { return; }
  let replica = id.z;
  let i = replica * ${stride / 4}u + id.x;
`;

const grid = ({ stride, replicas }: RowOptions) => [Math.ceil(stride / 4 / THREADS), 1, replicas] as const;

/** Sums the parts of a weight gradient into the rows of gradients. */
export function sumParts(options: {
  readonly label: string;
  readonly replicas: number;
  readonly stride: number;
  readonly parts: GPUBuffer;
  readonly count: number;
  readonly size: number;
  readonly gradients: GPUBuffer;
  readonly at: number;
  /** What the loss was multiplied by. */
  readonly scale?: number;
}): Kernel {
  const { label, replicas, stride, parts, count, size, gradients, at, scale = 1 } = options;
  return {
    label,
    bindings: [
      { name: "parts", type: "f32", buffer: parts },
      { name: "gradients", type: "f32", buffer: gradients, write: true },
    ],
    constants: [at],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${size}u) { return; }
  var i = id.z * ${count * size}u + id.x;
  var sum = parts[i];
  for (var k = 1u; k < ${count}u; k++) { i += ${size}u; sum += parts[i]; }
  gradients[id.z * ${stride}u + at[0].x + id.x] = sum${scale === 1 ? "" : ` * ${1 / scale}`};
}
`,
    workgroups: [Math.ceil(size / THREADS), 1, replicas],
  };
}

/** m <- b m + (g + decay x); ahead <- x - rate m, with the run's own b and rate. */
export function descend(
  options: RowOptions & {
    readonly x: GPUBuffer;
    readonly ahead: GPUBuffer;
    readonly momentum: GPUBuffer;
    readonly gradients: GPUBuffer;
    readonly decay: number;
    /** For each slot of steps the rate of every run. */
    readonly rates: GPUBuffer;
    readonly runs: number;
    readonly replicaTable: GPUBuffer;
  },
): Kernel {
  const { stride, decay, runs } = options;
  return {
    label: options.label,
    bindings: [
      { name: "x", type: "vec4f", buffer: options.x },
      { name: "gradients", type: "vec4f", buffer: options.gradients },
      { name: "rates", type: "f32", buffer: options.rates },
      { name: "replicaTable", type: "vec4u", buffer: options.replicaTable },
      { name: "momentum", type: "vec4f", buffer: options.momentum, write: true },
      { name: "ahead", type: "vec4f", buffer: options.ahead, write: true },
    ],
    code: `${entry(stride)}  let rate = rates[step.slot * ${runs}u + replicaTable[2u * replica].x];
  let b = bitcast<f32>(replicaTable[2u * replica + 1u].z);
  let v = x[i];
  let m = b * momentum[i] + (gradients[i]${decay === 0 ? "" : ` + ${Math.fround(decay)} * v`});
  momentum[i] = m;
  ahead[i] = v - rate * m;
}
`,
    workgroups: grid(options),
  };
}

/** y_i = sum of weight x_j over the links of node i in this slot. */
export function mixRows(
  options: RowOptions & { x: GPUBuffer; y: GPUBuffer; span: GPUBuffer; links: GPUBuffer },
): Kernel {
  const { stride, replicas } = options;
  return {
    label: options.label,
    bindings: [
      { name: "x", type: "vec4f", buffer: options.x },
      { name: "span", type: "vec2u", buffer: options.span },
      { name: "links", type: "vec2u", buffer: options.links },
      { name: "y", type: "vec4f", buffer: options.y, write: true },
    ],
    code: `${entry(stride)}  let mine = span[step.slot * ${replicas}u + replica];
  var sum = vec4f();
  for (var k = mine.x; k < mine.x + mine.y; k++) {
    let link = links[k];
    sum += bitcast<f32>(link.y) * x[link.x * ${stride / 4}u + id.x];
  }
  y[i] = sum;
}
`,
    workgroups: grid(options),
  };
}

/** Every node of a run gets the mean of the run's rows: labels 0, 1, ... added up, then one division. y may be x. */
export function averageRows(options: RowOptions & { x: GPUBuffer; y: GPUBuffer; nodes: number }): Kernel {
  const { stride, replicas, nodes, x, y } = options;
  const width = stride / 4;
  const source = x === y ? "y" : "x";
  return {
    label: options.label,
    bindings: [
      ...(x === y ? [] : [{ name: "x", type: "vec4f", buffer: x }]),
      { name: "y", type: "vec4f", buffer: y, write: true },
    ],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${width}u) { return; }
  let first = id.z * ${nodes * width}u + id.x;
  var sum = vec4f();
  for (var k = 0u; k < ${nodes}u; k++) { sum += ${source}[first + k * ${width}u]; }
  sum /= ${nodes}.0;
  for (var k = 0u; k < ${nodes}u; k++) { y[first + k * ${width}u] = sum; }
}
`,
    workgroups: [Math.ceil(width / THREADS), 1, replicas / nodes],
  };
}

/** Workgroups that share a run's row in `spreadRows`. */
export const spreadParts = (stride: number) => Math.ceil(stride / 4 / THREADS);

/** Parts of sum_i ||x_i - mean||^2 for every run, row `step.row` of the result. */
export function spreadRows(options: RowOptions & { x: GPUBuffer; squares: GPUBuffer; nodes: number }): Kernel {
  const { stride, replicas, nodes } = options;
  const width = stride / 4;
  const runs = replicas / nodes;
  const parts = spreadParts(stride);
  return {
    label: options.label,
    bindings: [
      { name: "x", type: "vec4f", buffer: options.x },
      { name: "squares", type: "f32", buffer: options.squares, write: true },
    ],
    code: `var<workgroup> sums: array<f32, ${THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let column = group.x * ${THREADS}u + me;
  var square = 0.0;
  if (column < ${width}u) {
    let first = group.z * ${nodes * width}u + column;
    var mean = vec4f();
    for (var k = 0u; k < ${nodes}u; k++) { mean += x[first + k * ${width}u]; }
    mean /= ${nodes}.0;
    for (var k = 0u; k < ${nodes}u; k++) { let d = x[first + k * ${width}u] - mean; square += dot(d, d); }
  }
  sums[me] = square;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (me < half) { sums[me] += sums[me + half]; }
    workgroupBarrier();
  }
  if (me == 0u) { squares[(step.row * ${runs}u + group.z) * ${parts}u + group.x] = sums[0]; }
}
`,
    workgroups: [parts, 1, runs],
  };
}
