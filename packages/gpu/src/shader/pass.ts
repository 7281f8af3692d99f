/**
 * The algorithms' passes over rows as kernels: every replica's rows, its run's own numbers. What a pass does at one place of its
 * rows is derived from the functions that define the passes (equitopo/algorithm, rows.ts) by scripts/build-passes.mjs.
 */

import { type Kernel, reads } from "../device/program.ts";
import { passes } from "./passes.ts";
import { eachQuad, type RowOptions } from "./row.ts";

export type PassName = keyof typeof passes;

export interface Pass {
  /** The names of its rows and of its numbers, each in the order of its arguments. */
  readonly rows: readonly string[];
  readonly written: readonly string[];
  readonly numbers: readonly string[];
  readonly code: string;
}

/** Passes that look at whole rows, or at places in them (by-row.ts): what they take. */
const byRow = {
  clipRows: { rows: ["x"], written: ["x"], numbers: ["most", "count"] },
  shrinkMatrices: { rows: ["x"], written: ["x"], numbers: ["keep"] },
} as const;

export type ByRowName = keyof typeof byRow;

export const isByRow = (name: string): name is ByRowName => Object.hasOwn(byRow, name);

/** What a pass takes and does; undefined where it has no kernel. */
export const passOf = (name: string): Omit<Pass, "code"> | undefined => {
  if (isByRow(name)) return byRow[name];
  return Object.hasOwn(passes, name) ? passes[name as PassName] : undefined;
};

/** Numbers that the passes of one iteration take at most. */
export const NUMBERS = 32;

/** Where a row is read and where it is left; `decayed`, it is what the network left of a gradient, and decay x. */
export interface PlacedRow {
  readonly from: GPUBuffer;
  readonly to: GPUBuffer;
  readonly decayed?: { readonly x: GPUBuffer; readonly decay: number } | undefined;
}

/** A pass over rows: for each slot of steps, `numbers` holds NUMBERS rows with a number of every run. */
export function pass(
  options: RowOptions & {
    readonly name: PassName;
    readonly rows: readonly PlacedRow[];
    readonly numbers: GPUBuffer;
    /** The first of its numbers among those of the iteration. */
    readonly at: number;
    readonly runs: number;
    readonly replicaTable: GPUBuffer;
  },
): Kernel {
  const { name, rows, runs } = options;
  const { written, numbers, code }: Pass = passes[name];
  /** Names for the buffers, each bound once. */
  const buffers = new Map<GPUBuffer, { readonly name: string; readonly write: boolean }>();
  const bound = (buffer: GPUBuffer, write: boolean): string => {
    const { name, write: before } = buffers.get(buffer) ?? { name: `rows${buffers.size}`, write };
    buffers.set(buffer, { name, write: write || before });
    return name;
  };
  const named = passes[name].rows.map((row, k) => ({ row, ...rows[k] }));
  const loads = named.map(({ row, from, decayed }) => {
    const added =
      decayed === undefined || decayed.decay === 0
        ? ""
        : ` + ${Math.fround(decayed.decay)} * ${bound(decayed.x, false)}[i]`;
    return `  var ${row} = ${bound(from, false)}[i]${added};\n`;
  });
  const stores = named
    .filter(({ row }) => written.includes(row))
    .map(({ row, to }) => `  ${bound(to, true)}[i] = ${row};\n`);
  const scalars = numbers.map(
    (number, k) => `  let ${number} = numbers[(step.slot * ${NUMBERS}u + at[0].x + ${k}u) * ${runs}u + run];\n`,
  );
  const tables = [
    ...reads("f32", { numbers: options.numbers }),
    ...reads("vec4u", { replicaTable: options.replicaTable }),
  ];
  const rowBindings = [...buffers].map(([buffer, { name, write }]) => ({ name, type: "vec4f", buffer, write }));
  const run = scalars.length === 0 ? [] : ["  let run = replicaTable[2u * replica].x;\n"];
  return eachQuad(options, {
    bindings: [...(scalars.length === 0 ? [] : tables), ...rowBindings],
    constants: [options.at],
    lines: [...run, ...scalars, ...loads, `  ${code}\n`, ...stores].join(""),
  });
}
