/**
 * The passes over rows that do not do the same at every place: rows are clipped by their norms, and what is a matrix decays.
 * As in pass.ts, a run's numbers are in `numbers`.
 */

import { eachGroup, eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { NUMBERS } from "./pass.ts";
import { workgroupSum } from "./reduce.ts";
import { eachQuad, type RowOptions } from "./row.ts";

const THREADS = 128;

export interface ByRowOptions extends RowOptions {
  readonly x: GPUBuffer;
  /** The pass's numbers, from the first of them on. */
  readonly numbers: GPUBuffer;
  readonly at: number;
  readonly runs: number;
  readonly replicaTable: GPUBuffer;
}

const number = (runs: number) =>
  `numbers[(step.slot * ${NUMBERS}u + at[0].x) * ${runs}u + replicaTable[2u * replica].x]`;

/** Workgroups that add up a row's squares. */
const partsOf = (stride: number) => Math.min(256, Math.ceil(stride / 4 / THREADS / 8));

/** Numbers that `clipRows` keeps for a replica: the parts of its squares, and what it is multiplied by. */
export const clipNumbers = (stride: number) => partsOf(stride) + 1;

/** Each row whose norm is above the number `most` is shortened to it. */
export function clipRows(options: ByRowOptions & { readonly norms: GPUBuffer }): Kernel[] {
  const { label, replicas, stride, x, norms, numbers, at, runs, replicaTable } = options;
  const [parts, quads] = [partsOf(stride), stride / 4];
  const squares: Kernel = {
    label,
    bindings: [...reads("vec4f", { x }), ...writes("f32", { norms })],
    code: `${workgroupSum(THREADS)}${eachGroup(THREADS)}  var square = 0.0;
  for (var q = group.x * ${THREADS}u + me; q < ${quads}u; q += ${parts * THREADS}u) {
    let v = x[group.z * ${quads}u + q];
    square += dot(v, v);
  }
  let all = total(me, square);
  if (me == 0u) { norms[group.z * ${parts + 1}u + group.x] = all; }
}
`,
    workgroups: [parts, 1, replicas],
  };
  const factor = eachPlace(options, {
    count: 1,
    bindings: [...reads("f32", { numbers }), ...reads("vec4u", { replicaTable }), ...writes("f32", { norms })],
    constants: [at],
    lines: `  let first = replica * ${parts + 1}u;
  var square = 0.0;
  for (var k = 0u; k < ${parts}u; k++) { square += norms[first + k]; }
  let most = ${number(runs)};
  norms[first + ${parts}u] = select(1.0, most / sqrt(square), sqrt(square) > most);
`,
  });
  const scale = eachQuad(options, {
    bindings: [...reads("f32", { norms }), ...writes("vec4f", { x })],
    lines: `  x[i] *= norms[replica * ${parts + 1}u + ${parts}u];\n`,
  });
  return [squares, factor, scale];
}

/** What is a matrix is multiplied by the number `keep`; `matrices` is 1 there and 0 elsewhere, for one row. */
export function shrinkMatrices(options: ByRowOptions & { readonly matrices: GPUBuffer }): Kernel {
  const { x, matrices, numbers, at, runs, replicaTable } = options;
  return eachQuad(options, {
    bindings: [
      ...[...reads("f32", { numbers }), ...reads("vec4u", { replicaTable }), ...reads("vec4f", { matrices })],
      ...writes("vec4f", { x }),
    ],
    constants: [at],
    lines: `  x[i] *= select(vec4f(1.0), vec4f(${number(runs)}), matrices[id.x] > vec4f());\n`,
  });
}
