/**
 * An iteration's operations (script.ts) as kernels. Every row has a buffer; an exchange reads its vectors from spare ones
 * and writes the mixed rows where they belong. Two passes over memory are saved where nobody can tell: a pass that is followed
 * by the exchange of what it wrote leaves that in the spare buffer at once; and a gradient that one pass alone reads is not
 * written down with its weight decay, but read as what the network left plus decay x. Passes that look at whole rows
 * (shader/by-row.ts) find and leave their row where it belongs.
 */

import type { Kernel } from "../device/program.ts";
import { clipRows, shrinkMatrices } from "../shader/by-row.ts";
import { isByRow, type PassName, type PlacedRow, pass, passOf } from "../shader/pass.ts";
import { mixRows, type RowOptions } from "../shader/row.ts";
import type { Operation } from "./script.ts";

export interface IterationOptions extends Omit<RowOptions, "label"> {
  /** The buffer of a row, and of the k-th vector that is on its way. */
  readonly rows: (number: number) => GPUBuffer;
  readonly spare: (k: number) => GPUBuffer;
  /** The kernels that leave gradients at the models, without decay, in `gradients`. */
  readonly gradient: readonly Kernel[];
  readonly gradients: GPUBuffer;
  readonly decay: number;
  readonly runs: number;
  readonly numbers: GPUBuffer;
  readonly replicaTable: GPUBuffer;
  readonly span: GPUBuffer;
  readonly links: GPUBuffer;
  /** What those passes need beside: memory for norms, and a row that is 1 where matrices are. */
  readonly norms: () => GPUBuffer;
  readonly matrices: () => GPUBuffer;
  /** Exchanges of an iteration at most. */
  readonly exchanges: number;
  /** Rows whose numbers are wanted after the iteration. */
  readonly kept: ReadonlySet<number>;
}

export function kernelsOf(operations: readonly Operation[], options: IterationOptions): Kernel[] {
  const { rows, spare, gradient, gradients, decay, replicas, stride, span, links, exchanges } = options;
  const common = { replicas, stride };
  const passKernel = (name: PassName, placed: readonly PlacedRow[], at: number) =>
    pass({
      ...{ ...common, label: name, name, rows: placed, at, numbers: options.numbers },
      ...{ runs: options.runs, replicaTable: options.replicaTable },
    });
  const copy = (from: PlacedRow["from"], to: GPUBuffer, decayed?: PlacedRow["decayed"]) =>
    passKernel(
      "copy",
      [
        { from: to, to },
        { from, to: from, decayed },
      ],
      0,
    );
  /** What a gradient as the network left it lacks. */
  const decayed = { x: rows(0), decay };
  const folded = foldedGradient(operations, options.kept);
  let [numbers, exchange] = [0, 0];
  return operations.flatMap((one, k): Kernel[] => {
    if (one.kind === "gradient") {
      return folded === undefined ? [...gradient, copy(gradients, rows(one.out), decayed)] : [...gradient];
    }
    if (one.kind === "mix") {
      const at = exchange++;
      return one.vectors.flatMap((vector, v) => [
        ...(writerBefore(operations, k, vector) < 0 ? [copy(rows(vector), spare(v))] : []),
        mixRows({ ...common, label: "mix", x: spare(v), y: rows(vector), span, links, exchanges, at }),
      ]);
    }
    const at = numbers;
    numbers += one.numbers.length;
    if (isByRow(one.name)) {
      const { runs, replicaTable, norms, matrices } = options;
      const own = {
        ...common,
        label: one.name,
        x: rows(one.rows[0]),
        numbers: options.numbers,
        at,
        runs,
        replicaTable,
      };
      return one.name === "clipRows"
        ? clipRows({ ...own, norms: norms() })
        : [shrinkMatrices({ ...own, matrices: matrices() })];
    }
    const placed = one.rows.map((row): PlacedRow => {
      const next = nextMix(operations, k);
      const travels = next !== undefined && writerBefore(operations, next.at, row) === k;
      const v = travels ? next.vectors.indexOf(row) : -1;
      const own = folded?.reader === k && folded.out === row;
      return {
        from: own ? gradients : rows(row),
        to: v < 0 ? rows(row) : spare(v),
        decayed: own ? decayed : undefined,
      };
    });
    return [passKernel(one.name, placed, at)];
  });
}

function nextMix(operations: readonly Operation[], k: number) {
  const at = operations.findIndex((one, j) => j > k && one.kind === "mix");
  return at < 0 ? undefined : { at, vectors: (operations[at] as Extract<Operation, { kind: "mix" }>).vectors };
}

/** The pass that writes a row last before an exchange, where nobody touches it in between and no other exchange lies there; else -1. */
function writerBefore(operations: readonly Operation[], mix: number, row: number): number {
  for (let k = mix - 1; k >= 0 && operations[k].kind !== "mix"; k--) {
    if (touches(operations[k], row)) return isElementwise(operations[k]) && writes(operations[k], row) ? k : -1;
  }
  return -1;
}

/** The gradient that one pass alone reads, if it is so: before that the models are as they were, and after it nobody wants it. */
function foldedGradient(operations: readonly Operation[], kept: ReadonlySet<number>) {
  const first = operations.findIndex(({ kind }) => kind === "gradient");
  if (first < 0) return undefined;
  const { out } = operations[first] as Extract<Operation, { kind: "gradient" }>;
  const reader = operations.findIndex((one, k) => k > first && touches(one, out));
  if (reader < 0 || !isElementwise(operations[reader]) || isCopyInto(operations[reader], out)) return undefined;
  if (operations.slice(first + 1, reader).some((one) => writes(one, 0))) return undefined;
  const later = operations.slice(reader + 1).some((one) => touches(one, out));
  return writes(operations[reader], out) || (!later && !kept.has(out)) ? { out, reader } : undefined;
}

const isCopyInto = (one: Operation, row: number) => one.kind === "pass" && one.name === "copy" && one.rows[0] === row;

const isElementwise = (one: Operation) => one.kind === "pass" && !isByRow(one.name);

function touches(one: Operation, row: number): boolean {
  if (one.kind === "gradient") return row === 0 || one.out === row;
  return (one.kind === "mix" ? one.vectors : one.rows).includes(row);
}

function writes(one: Operation, row: number): boolean {
  if (one.kind === "gradient") return one.out === row;
  if (one.kind === "mix") return one.vectors.includes(row);
  const { rows = [], written = [] } = passOf(one.name) ?? {};
  return rows.some((name, k) => written.includes(name) && one.rows[k] === row);
}

/** Numbers that an iteration hands to its passes. */
export const numbersIn = (operations: readonly Operation[]): number[] =>
  operations.flatMap((one) => (one.kind === "pass" ? one.numbers : []));
