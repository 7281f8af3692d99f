/**
 * The algorithms' passes over rows (equitopo/algorithm, rows.ts, which defines them) as kernels: every replica's rows, its
 * run's own numbers. The code works on one place of each row, by the names that the pass gives them.
 */

import type { RowPasses } from "equitopo/algorithm";
import type { Kernel } from "../device/program.ts";
import { grid, type RowOptions, rowEntry } from "./row.ts";

/** Those of algorithms that the device cannot do for other reasons. */
const unused = ["mixPair", "divideRows", "track", "descendGap", "towardsMixed"] as const;

export type PassName = Exclude<keyof RowPasses, (typeof unused)[number]>;

interface Pass {
  /** Its arguments in order; those of an object at its end follow by their names. */
  readonly takes: string;
  readonly numbers: string;
  readonly writes: string;
  readonly code: string;
}

/** Line by line those of rows.ts. */
export const passes: Readonly<Record<PassName, Pass>> = {
  copy: { takes: "x y", numbers: "", writes: "x", code: "x = y;" },
  descend: { takes: "x s g", numbers: "s", writes: "x", code: "x -= s * g;" },
  descendInto: { takes: "g x s", numbers: "s", writes: "g", code: "g = x - s * g;" },
  add: { takes: "x y", numbers: "", writes: "x", code: "x += y;" },
  subtract: { takes: "x y", numbers: "", writes: "x", code: "x -= y;" },
  halfway: { takes: "x y", numbers: "", writes: "x", code: "x = 0.5 * (x + y);" },
  momentumDescend: { takes: "x m g b s", numbers: "b s", writes: "x m", code: "m = b * m + g; x -= s * m;" },
  trackDescend: { takes: "x y g p s", numbers: "s", writes: "x y", code: "y += g - p; x -= s * y;" },
  trackStep: { takes: "y g p s", numbers: "s", writes: "y p", code: "y += g - p; p = s * y;" },
  diffuse: {
    ...{ takes: "x psi g s", numbers: "s", writes: "x psi g" },
    code: "let next = x - s * g; let phi = next + x - psi; psi = next; x = phi; g = phi;",
  },
  extraLocal: {
    ...{ takes: "g c x s", numbers: "s", writes: "g c" },
    code: "let change = s * g; g = x - change - c; c = 0.5 * x - change;",
  },
  extraMixed: { takes: "x c g", numbers: "", writes: "x c", code: "c += 0.5 * x; x += g;" },
  quasiGlobalDescend: { takes: "g x q b s", numbers: "b s", writes: "g", code: "g = x - s * (b * q + g);" },
  quasiGlobalMomentum: {
    ...{ takes: "q x y mu s", numbers: "mu s", writes: "q" },
    code: "q = mu * q + ((1.0 - mu) / s) * (x - y);",
  },
  gossipMomentumDescend: {
    ...{ takes: "x m y b s", numbers: "b s", writes: "x m" },
    code: "m = b * m + (x - y) / s; x -= s * m;",
  },
  momentumGap: { takes: "m c g b s", numbers: "b s", writes: "m c g", code: "m = b * m + g; c -= m; g = s * c;" },
  gap: { takes: "c g s", numbers: "s", writes: "c", code: "c = (g - c) / s;" },
  adamDescend: {
    ...{ takes: "x m v g b1 b2 c1 c2 s eps", numbers: "b1 b2 c1 c2 s eps", writes: "x m v" },
    code: `m = b1 * m + (1.0 - b1) * g;
  v = b2 * v + (1.0 - b2) * g * g;
  x -= (s * (m / c1)) / (sqrt(v / c2) + eps);`,
  },
};

/** The passes that are refused. */
export const refusedPasses: readonly (keyof RowPasses)[] = unused;

const words = (text: string) => text.split(" ").filter((word) => word !== "");

/** The rows that a pass takes, in order, and whether it writes them. */
export function rowsOf(name: PassName): readonly { readonly row: string; readonly written: boolean }[] {
  const { takes, numbers, writes } = passes[name];
  return words(takes)
    .filter((word) => !words(numbers).includes(word))
    .map((row) => ({ row, written: words(writes).includes(row) }));
}

/** The numbers that a pass takes, in order. */
export const numbersOf = (name: PassName): readonly string[] => words(passes[name].numbers);

/** Numbers that the passes of one iteration take at most. */
export const NUMBERS = 32;

/** Where a row is read and where it is left; `decayed`, it is what the network left of a gradient, and decay x. */
export interface PlacedRow {
  readonly from: GPUBuffer;
  readonly to: GPUBuffer;
  readonly decayed?: { readonly x: GPUBuffer; readonly decay: number };
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
  const { name, rows, runs, stride } = options;
  const buffers = new Buffers();
  const named = rowsOf(name).map(({ row, written }, k) => ({ row, written, ...rows[k] }));
  const loads = named.map(({ row, from, decayed }) => {
    const decay = decayed === undefined || decayed.decay === 0 ? "" : ` + ${Math.fround(decayed.decay)} * `;
    const added = decay === "" ? "" : `${decay}${buffers.read((decayed as { x: GPUBuffer }).x)}[i]`;
    return `  var ${row} = ${buffers.read(from)}[i]${added};\n`;
  });
  const stores = named.filter(({ written }) => written).map(({ row, to }) => `  ${buffers.write(to)}[i] = ${row};\n`);
  const scalars = numbersOf(name).map(
    (number, k) => `  let ${number} = numbers[(step.slot * ${NUMBERS}u + at[0].x + ${k}u) * ${runs}u + run];\n`,
  );
  const tables = [
    { name: "numbers", type: "f32", buffer: options.numbers },
    { name: "replicaTable", type: "vec4u", buffer: options.replicaTable },
  ];
  return {
    label: options.label,
    bindings: [...(scalars.length === 0 ? [] : tables), ...buffers.bindings()],
    constants: [options.at],
    code: `${rowEntry(stride)}${scalars.length === 0 ? "" : "  let run = replicaTable[2u * replica].x;\n"}${scalars.join("")}${loads.join("")}  ${passes[name].code}
${stores.join("")}}
`,
    workgroups: grid(options),
  };
}

/** Names for the buffers of a kernel, each bound once. */
class Buffers {
  readonly #names = new Map<GPUBuffer, { readonly name: string; write: boolean }>();

  read(buffer: GPUBuffer): string {
    const found = this.#names.get(buffer) ?? { name: `rows${this.#names.size}`, write: false };
    this.#names.set(buffer, found);
    return found.name;
  }

  write(buffer: GPUBuffer): string {
    const name = this.read(buffer);
    this.#names.set(buffer, { name, write: true });
    return name;
  }

  bindings() {
    return [...this.#names].map(([buffer, { name, write }]) => ({ name, type: "vec4f", buffer, write }));
  }
}
