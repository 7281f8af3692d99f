/**
 * Products of 16 x 16 matrices in WGSL, in two spellings. `subgroup`: a subgroup of 32 threads holds every matrix and
 * multiplies on the GPU's matrix units, operands in f16, sums in f32. `written-out`, which tests have: the same loads, products
 * and stores as plain loops in f32, which need no feature, so that they compare every kernel of this folder with the CPU.
 *
 * Strides are in numbers, offsets in elements of their array; both are multiples of eight numbers.
 */

export const SIDE = 16;

/** Four numbers each: a matrix in memory. */
export const QUADS = (SIDE * SIDE) / 4;

/** Threads that share a matrix. */
export const WARP = 32;

export type Spelling = "subgroup" | "written-out";

/** A 16 x 16 matrix in memory: rows `stride` apart, or columns where `order` says so. */
export interface Operand {
  /** Memory of single halves, or of four at a time. */
  readonly array: string;
  readonly quads: boolean;
  /** A WGSL expression: where it begins, in elements of the array. */
  readonly offset: string;
  readonly stride: number;
  readonly order: Order;
}

export type Order = "row" | "column";

export interface Loaded {
  readonly name: string;
  readonly operand: Operand;
}

export interface Matrices {
  readonly spelling: Spelling;
  /** What a half is stored as, in WGSL, and its bytes. */
  readonly half: "f16" | "f32";
  readonly bytes: 2 | 4;
  /** What a shader with matrices begins with, and one that only stores halves. */
  readonly directives: string;
  readonly storageDirectives: string;
  /** Lines for k = 0 to count - 1, a WGSL expression: one after another, or in a loop, which compiles sooner. */
  repeat(count: number, lines: (k: string) => string): string;
  /** Constants for `repeat`: what is declared before, and the k-th of them inside. */
  table(name: string, values: readonly number[]): { readonly declared: string; at(k: string): string };
  /** So many matrices of zeros, for sums, and the k-th of them. */
  zeros(count: number): string;
  sum(k: string): string;
  load(name: string, side: "left" | "right", operand: Operand): { readonly code: string; readonly loaded: Loaded };
  /** sum <- sum + left right; `order` is that in which the sum will be stored. */
  product(sum: string, left: Loaded, right: Loaded, order: Order): string;
  /** A sum, row by row or column by column, `stride` numbers apart, to `array` of vec4f. */
  store(array: string, offset: string, sum: string, order: Order, stride?: number): string;
}

const halvesWith = (directives: string) => `enable f16;\n${directives}`;

export const subgroup: Matrices = {
  ...{ spelling: "subgroup", half: "f16", bytes: 2, storageDirectives: halvesWith("") },
  directives: halvesWith(
    "enable subgroups;\nenable chromium_experimental_subgroup_matrix;\ndiagnostic(off, chromium.subgroup_matrix_uniformity);\n",
  ),
  repeat: (count, lines) => Array.from({ length: count }, (_, k) => lines(`${k}u`)).join(""),
  table: (_name, values) => ({ declared: "", at: (k) => `${values[Number.parseInt(k, 10)]}u` }),
  zeros: (count) =>
    Array.from({ length: count }, (_, k) => `  var a${k}: subgroup_matrix_result<f32, ${SIDE}, ${SIDE}>;\n`).join(""),
  sum: (k) => `a${Number.parseInt(k, 10)}`,
  load: (name, side, operand) => {
    const { array, offset, stride, order, quads } = operand;
    const type = `subgroup_matrix_${side}<f16, ${SIDE}, ${SIDE}>, ${order === "row" ? "row_major" : "col_major"}`;
    const apart = quads ? stride / 4 : stride;
    return {
      code: `let ${name} = subgroupMatrixLoad<${type}>(&${array}, ${offset}, ${apart}u);\n`,
      loaded: { name, operand },
    };
  },
  product: (sum, { name: left }, { name: right }) =>
    `${sum} = subgroupMatrixMultiplyAccumulate(${left}, ${right}, ${sum});\n`,
  store: (array, offset, sum, order, stride = SIDE) =>
    `subgroupMatrixStore<${order === "row" ? "row_major" : "col_major"}>(&${array}, ${offset}, ${sum}, ${stride / 4}u);\n`,
};
