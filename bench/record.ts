/**
 * Figures of one or several runs of benches with the machine they are of, as a file: what two runs are compared by, and
 * what the README's table is made from.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { InputError } from "equitopo";
import type { Figure, Report } from "./bench.ts";
import type { Machine } from "./machine.ts";

/** Of the file's format. */
export const recordVersion = 1;

/** A figure with its values of all runs, in their order. */
export interface Kept {
  readonly bench: string;
  readonly name: string;
  readonly unit: string;
  readonly more?: true;
  readonly values: readonly number[];
  readonly beside?: { readonly what: string; readonly values: readonly number[] };
}

export interface BenchRecord {
  readonly version: number;
  readonly machine: Machine;
  readonly figures: readonly Kept[];
  /** What this machine could not measure. */
  readonly missing: readonly { readonly bench: string; readonly what: string; readonly why: string }[];
}

/** Gathers what benches report, run by run. */
export class Gathered {
  readonly #figures = new Map<string, { kept: Omit<Kept, "values" | "beside">; values: number[]; beside: Beside[] }>();
  readonly #missing = new Map<string, BenchRecord["missing"][number]>();

  /** The report that is handed to a bench. */
  of(bench: string): Report {
    return {
      figure: ({ name, value, unit, more, beside }) => {
        const key = `${bench} ${name}`;
        const known = this.#figures.get(key) ?? {
          kept: { bench, name, unit, ...(more ? { more } : {}) },
          ...{ values: [], beside: [] },
        };
        known.values.push(rounded(value));
        if (beside !== undefined) known.beside.push(beside);
        this.#figures.set(key, known);
      },
      missing: (what, why) => this.#missing.set(`${bench} ${what}`, { bench, what, why }),
    };
  }

  record(machine: Machine): BenchRecord {
    const figures = [...this.#figures.values()].map(({ kept, values, beside }) => ({
      ...{ ...kept, values },
      ...(beside.length === 0
        ? {}
        : { beside: { what: beside[0].what, values: beside.map(({ value }) => rounded(value)) } }),
    }));
    return { version: recordVersion, machine, figures, missing: [...this.#missing.values()] };
  }
}

type Beside = NonNullable<Figure["beside"]>;

/** More digits than a clock has would only make the file longer. */
const rounded = (value: number) => Number(value.toPrecision(5));

/** The best of several values. */
export function best({ values, more }: Pick<Kept, "values" | "more">): number {
  return more ? Math.max(...values) : Math.min(...values);
}

/** As `npm run format` would leave it, so that figures which are kept in the repository pass its lint. */
export function recordText(record: BenchRecord): string {
  const input = `${JSON.stringify(record, null, 2)}\n`;
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const root = biome.slice(0, biome.lastIndexOf("node_modules"));
  const words = [biome, "format", "--stdin-file-path=bench/results/figures.json"];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: root, input, encoding: "utf8" });
  // Figures that took minutes are worth more than their looks.
  return status === 0 ? stdout : input;
}

/** Reads what recordText wrote. */
export function readRecord(path: string): BenchRecord {
  let found: Partial<BenchRecord>;
  try {
    found = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new InputError("a file of figures must be readable JSON", (error as Error).message, wayToGet(path));
  }
  if (found.version !== recordVersion || !Array.isArray(found.figures) || found.machine === undefined) {
    throw new InputError(`${path} must hold figures of version ${recordVersion}`, found.version, wayToGet(path));
  }
  return found as BenchRecord;
}

const wayToGet = (path: string) => `write one: npm run bench -- rate peers --json ${path}`;
