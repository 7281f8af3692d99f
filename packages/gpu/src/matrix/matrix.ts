/**
 * Products of 16 x 16 matrices in WGSL, in two spellings. `subgroup`: a subgroup of 32 threads holds every matrix and
 * multiplies on the GPU's matrix units, operands in f16, sums in f32. `written-out`: the same loads, products and stores as
 * plain loops in f32; each thread computes eight results. It is slow, but needs no feature: with it every kernel of this folder
 * runs on any adapter, and tests compare it with the CPU there.
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

const subgroup: Matrices = {
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

/** Element (r, c) of an operand; the WGSL variable of the operand's name holds its offset. */
function element({ name, operand: { array, quads, stride, order } }: Loaded, r: string, c: string): string {
  const index = order === "row" ? `${name} + (${r}) * ${stride}u + ${c}` : `${name} + (${c}) * ${stride}u + ${r}`;
  return quads ? `${array}[(${index}) / 4u][(${index}) % 4u]` : `${array}[${index}]`;
}

/** Thread l of a warp owns row l / 2, columns 8 (l mod 2) and the seven after it; of a sum stored by columns, the other way round. */
const writtenOut: Matrices = {
  ...{ spelling: "written-out", half: "f32", bytes: 4, directives: "", storageDirectives: "" },
  repeat: (count, lines) => `  for (var e = 0u; e < ${count}u; e++) {\n${lines("e")}  }\n`,
  table: (name, values) => ({
    declared: `  var ${name} = array<u32, ${values.length}>(${values.map((value) => `${value}u`).join(", ")});\n`,
    at: (k) => `${name}[${k}]`,
  }),
  zeros: (count) => `  var a: array<array<f32, 8>, ${count}>;\n`,
  sum: (k) => `a[${k}]`,
  load: (name, _side, operand) => ({
    code: `let ${name} = ${operand.quads ? "4u * " : ""}(${operand.offset});\n`,
    loaded: { name, operand },
  }),
  product: (sum, left, right, order) => {
    const [own, eight] = ["(me % 32u) / 2u", "8u * (me % 2u) + j"];
    const [once, each] =
      order === "row"
        ? [element(left, own, "k"), element(right, "k", eight)]
        : [element(right, "k", own), element(left, eight, "k")];
    return `for (var k = 0u; k < ${SIDE}u; k++) {
    let once = ${once};
    for (var j = 0u; j < 8u; j++) { ${sum}[j] += once * ${each}; }
  }
`;
  },
  store: (array, offset, sum, _order, stride = SIDE) =>
    [0, 1]
      .map((half) => {
        const quad = [0, 1, 2, 3].map((j) => `${sum}[${4 * half + j}]`).join(", ");
        return `${array}[${offset} + (me % 32u) / 2u * ${stride / 4}u + 2u * (me % 2u) + ${half}u] = vec4f(${quad});\n`;
      })
      .join("  "),
};

export const matricesOf = (spelling: Spelling): Matrices => (spelling === "subgroup" ? subgroup : writtenOut);
