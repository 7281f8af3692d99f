/**
 * How kernels over halves read values and gradients, [replica][image][pixel][channel], four channels at a time: through the
 * tables of batch norm, as everywhere (shader/value.ts), but with what depends on the channel alone read once a thread.
 *   value:     max(0, scale y + (shift - mean scale))
 *   gradient:  slope g - (slope b) y + slope (b mean - a)
 */

import { type Binding, reads } from "../device/program.ts";
import { gradientOf, type Norms, type Value } from "../shader/value.ts";
import type { Matrices } from "./matrix.ts";

export interface Reader {
  readonly bindings: readonly Binding[];
  /** `let`s of what the thread's four channels need, the first of which is entry `entry` of the tables. */
  prepare(entry: string): string;
  /** `var`s and assignments of what is read at quad `index`, number k of the thread. */
  declare(k: number): string;
  load(k: number, index: string): string;
  /** A vec4f: what number k is worth. */
  value(k: number): string;
}

/** Four entries of a table as four vectors x, y, z, w over channels. */
export const fourEntries = (name: string, table: string, entry: string) => `  let ${name}0 = ${table}[${entry}];
  let ${name}1 = ${table}[${entry} + 1u];
  let ${name}2 = ${table}[${entry} + 2u];
  let ${name}3 = ${table}[${entry} + 3u];
`;

export const component = (name: string, part: string) =>
  `vec4f(${[0, 1, 2, 3].map((k) => `${name}${k}.${part}`).join(", ")})`;

export function valueReader(name: string, { y, relu, norm }: Value, { norms }: Norms, { half }: Matrices): Reader {
  const scaled = (k: number) =>
    norm === undefined ? `vec4f(${name}V${k})` : `fma(vec4f(${name}V${k}), ${name}A, ${name}B)`;
  return {
    bindings: [
      ...reads(`vec4<${half}>`, { [`${name}Y`]: y }),
      ...reads("vec4f", norm === undefined ? {} : { [`${name}Norms`]: norms }),
    ],
    prepare: (entry) =>
      norm === undefined
        ? ""
        : `${fourEntries(`${name}N`, `${name}Norms`, entry)}  let ${name}A = ${component(`${name}N`, "y")};
  let ${name}B = ${component(`${name}N`, "z")} - ${component(`${name}N`, "x")} * ${name}A;
`,
    declare: (k) => `  var ${name}V${k} = vec4<${half}>();\n`,
    load: (k, index) => `${name}V${k} = ${name}Y[${index}];`,
    value: (k) => (relu ? `max(${scaled(k)}, vec4f())` : scaled(k)),
  };
}

/** The gradient with respect to what came before the value's norm. */
export function gradientReader(name: string, value: Value, { slopes }: Norms, { half }: Matrices): Reader {
  const [S, G, Y] = [`${name}S`, `${name}G`, `${name}Y`];
  return {
    bindings: [
      ...reads(`vec4<${half}>`, { [G]: gradientOf(value), [Y]: value.y }),
      ...reads("vec4f", { [`${name}Slopes`]: slopes }),
    ],
    prepare: (entry) => `${fourEntries(S, `${name}Slopes`, entry)}  let ${name}A = ${component(S, "x")};
  let ${name}B = -${name}A * ${component(S, "z")};
  let ${name}C = -${name}A * ${component(S, "y")} - ${name}B * ${component(S, "w")};
`,
    declare: (k) => `  var ${name}V${k} = vec4<${half}>();\n  var ${name}W${k} = vec4<${half}>();\n`,
    load: (k, index) => `{ let i = ${index}; ${name}V${k} = ${G}[i]; ${name}W${k} = ${Y}[i]; }`,
    value: (k) => `fma(vec4f(${name}V${k}), ${name}A, fma(vec4f(${name}W${k}), ${name}B, ${name}C))`,
  };
}
