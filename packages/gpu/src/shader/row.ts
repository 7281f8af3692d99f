/**
 * Row kernels: what is done to whole rows of parameters, beside the algorithms' passes (pass.ts). Rows are `stride` numbers
 * apart, a multiple of four. `span` and `links` hold, for each slot of steps and each of its exchanges, the rows and weights
 * that node i's new row is made of, in the order of additions that rounds define.
 */

import { eachGroup, eachPlace, type Kernel, type Places, reads, writes } from "../device/program.ts";
import { workgroupSum } from "./reduce.ts";

const THREADS = 128;

export interface RowOptions {
  readonly label: string;
  readonly replicas: number;
  /** Numbers of a row, a multiple of four. */
  readonly stride: number;
}

/** A kernel over all rows, four numbers at a time: `lines` see the place in all of them as i. */
export function eachQuad(options: RowOptions, { lines, ...places }: Omit<Places, "count">): Kernel {
  const count = options.stride / 4;
  return eachPlace(options, { ...places, count, lines: `  let i = replica * ${count}u + id.x;\n${lines}` });
}

/** Sums the parts of a weight gradient into the rows of gradients. */
export function sumParts(
  options: RowOptions & {
    readonly parts: GPUBuffer;
    readonly count: number;
    readonly size: number;
    readonly gradients: GPUBuffer;
    readonly at: number;
  },
): Kernel {
  const { stride, parts, count, size, gradients, at } = options;
  return eachPlace(options, {
    count: size,
    bindings: [...reads("f32", { parts }), ...writes("f32", { gradients })],
    constants: [at],
    lines: `  var i = replica * ${count * size}u + id.x;
  var sum = parts[i];
  for (var k = 1u; k < ${count}u; k++) { i += ${size}u; sum += parts[i]; }
  gradients[replica * ${stride}u + at[0].x + id.x] = sum;
`,
  });
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
  const { stride, replicas, exchanges, at, x, y, span, links } = options;
  return {
    label: options.label,
    bindings: [...reads("vec4f", { x }), ...reads("vec2u", { span, links }), ...writes("vec4f", { y })],
    constants: [at],
    code: `${eachGroup(THREADS)}  let replica = group.z;
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
  const { label, stride, replicas, nodes, x, y } = options;
  const width = stride / 4;
  const source = x === y ? "y" : "x";
  // A run takes the place of a replica.
  return eachPlace(
    { label, replicas: replicas / nodes },
    {
      count: width,
      bindings: [...reads("vec4f", x === y ? {} : { x }), ...writes("vec4f", { y })],
      lines: `  let first = replica * ${nodes * width}u + id.x;
  var sum = vec4f();
  for (var k = 0u; k < ${nodes}u; k++) { sum += ${source}[first + k * ${width}u]; }
  sum /= ${nodes}.0;
  for (var k = 0u; k < ${nodes}u; k++) { y[first + k * ${width}u] = sum; }
`,
    },
  );
}

/** Workgroups that share a run's row in `spreadRows`. */
export const spreadParts = (stride: number) => Math.ceil(stride / 4 / THREADS);

/** Parts of sum_i ||x_i - mean||^2 for every run, row `step.row` of the result. */
export function spreadRows(options: RowOptions & { x: GPUBuffer; squares: GPUBuffer; nodes: number }): Kernel {
  const { stride, replicas, nodes, x, squares } = options;
  const width = stride / 4;
  const runs = replicas / nodes;
  const parts = spreadParts(stride);
  return {
    label: options.label,
    bindings: [...reads("vec4f", { x }), ...writes("f32", { squares })],
    code: `${workgroupSum(THREADS)}${eachGroup(THREADS)}  let column = group.x * ${THREADS}u + me;
  var square = 0.0;
  if (column < ${width}u) {
    let first = group.z * ${nodes * width}u + column;
    var mean = vec4f();
    for (var k = 0u; k < ${nodes}u; k++) { mean += x[first + k * ${width}u]; }
    mean /= ${nodes}.0;
    for (var k = 0u; k < ${nodes}u; k++) { let d = x[first + k * ${width}u] - mean; square += dot(d, d); }
  }
  let all = total(me, square);
  if (me == 0u) { squares[(step.row * ${runs}u + group.z) * ${parts}u + group.x] = all; }
}
`,
    workgroups: [parts, 1, runs],
  };
}
