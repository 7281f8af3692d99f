/**
 * Row kernels: what is done to whole rows of parameters, beside the algorithms' passes (pass.ts). Rows are `stride` numbers
 * apart, a multiple of four. `span` and `links` hold, for each slot of steps and each of its exchanges, the rows and weights
 * that node i's new row is made of, in the order of additions that rounds define.
 */

import type { Kernel } from "../device/program.ts";

const THREADS = 128;

export interface RowOptions {
  readonly label: string;
  readonly replicas: number;
  /** Numbers of a row, a multiple of four. */
  readonly stride: number;
}

/** Kernels over one place of a row each, four numbers at a time: that of replica `replica` is i. */
export const rowEntry = (stride: number) => `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${stride / 4}u) { return; }
  let replica = id.z;
  let i = replica * ${stride / 4}u + id.x;
`;

export const grid = ({ stride, replicas }: RowOptions) => [Math.ceil(stride / 4 / THREADS), 1, replicas] as const;

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
}): Kernel {
  const { label, replicas, stride, parts, count, size, gradients, at } = options;
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
  gradients[id.z * ${stride}u + at[0].x + id.x] = sum;
}
`,
    workgroups: [Math.ceil(size / THREADS), 1, replicas],
  };
}

/** Quads of a thread in `mixRows`: so many reads are under way at a time. */
const MIXED = 4;

const each = (line: (q: number) => string) => Array.from({ length: MIXED }, (_, q) => line(q)).join("");

/** y_i = sum of weight x_j over the links of node i in this slot, in the exchange `at` of `exchanges` of an iteration. Threads
 * past a row's end write its last quad once more. */
export function mixRows(
  options: RowOptions & {
    readonly x: GPUBuffer;
    readonly y: GPUBuffer;
    readonly span: GPUBuffer;
    readonly links: GPUBuffer;
    readonly exchanges: number;
    readonly at: number;
  },
): Kernel {
  const { stride, replicas, exchanges, at } = options;
  return {
    label: options.label,
    bindings: [
      { name: "x", type: "vec4f", buffer: options.x },
      { name: "span", type: "vec2u", buffer: options.span },
      { name: "links", type: "vec2u", buffer: options.links },
      { name: "y", type: "vec4f", buffer: options.y, write: true },
    ],
    constants: [at],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
  let mine = span[(step.slot * ${exchanges}u + at[0].x) * ${replicas}u + replica];
${each((q) => `  let q${q} = min(group.x * ${THREADS * MIXED}u + ${q * THREADS}u + me, ${stride / 4 - 1}u);\n  var sum${q} = vec4f();\n`)}\
  for (var k = mine.x; k < mine.x + mine.y; k++) {
    let link = links[k];
    let weight = bitcast<f32>(link.y);
    let row = link.x * ${stride / 4}u;
${each((q) => `    sum${q} += weight * x[row + q${q}];\n`)}  }
${each((q) => `  y[replica * ${stride / 4}u + q${q}] = sum${q};\n`)}}
`,
    workgroups: [Math.ceil(stride / 4 / THREADS / MIXED), 1, replicas],
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
