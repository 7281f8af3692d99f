/** Products of matrices as plain loops in float32, on any adapter: each thread of a warp computes eight results. */

import { type Loaded, type Matrices, SIDE } from "../../src/matrix/matrix.ts";

/** Element (r, c) of an operand; the WGSL variable of the operand's name holds its offset. */
function element({ name, operand: { array, quads, stride, order } }: Loaded, r: string, c: string): string {
  const index = order === "row" ? `${name} + (${r}) * ${stride}u + ${c}` : `${name} + (${c}) * ${stride}u + ${r}`;
  return quads ? `${array}[(${index}) / 4u][(${index}) % 4u]` : `${array}[${index}]`;
}

/** Thread l of a warp owns row l / 2, columns 8 (l mod 2) and the seven after it; of a sum stored by columns, the other way round. */
export const writtenOut: Matrices = {
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
