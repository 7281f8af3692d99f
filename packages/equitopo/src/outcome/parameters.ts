/**
 * The parameters of runs, as tables: what all of them have in common, and a row for each run with what differs. Nested values
 * get names of several words ("algorithm learningRate rate").
 */

import type { PluginEntry, RunSpec } from "../run/spec.ts";
import { readable } from "../topology/file.ts";

export interface Parameters {
  readonly common: Readonly<Record<string, string>>;
  /** Left out if runs differ in nothing but their seeds. */
  readonly differing?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
  };
}

/** `runs` of one label differ in their seeds only, and share a row. Runs have the hashes of their plug-ins; `files` names some. */
export function parametersOf(runs: readonly RunSpec[], files: readonly PluginEntry[] = []): Parameters {
  const flat = runs.map((run) => flattened(run, files));
  const names = [...new Set(flat.flatMap((one) => [...one.keys()]))].sort(byImportance);
  const labels = [...new Set(runs.map(({ label }) => label))];
  const cell = (label: string, name: string) => {
    const found = new Set(flat.filter((_, k) => runs[k].label === label).map((one) => one.get(name) ?? null));
    return found.size === 1 ? [...found][0] : "drawn anew with each seed";
  };
  const common: Record<string, string> = {};
  const apart: string[] = [];
  for (const name of names) {
    const found = new Set(labels.map((label) => cell(label, name)));
    const [value] = found;
    if (found.size === 1 && value !== null) common[name] = value;
    else apart.push(name);
  }
  common["seeds"] = [...new Set(runs.map(({ seed }) => seed))].join(", ");
  if (apart.length === 0) return { common };
  const rows = labels.map((label) => [label, ...apart.map((name) => cell(label, name))]);
  return { common, differing: { columns: ["run", ...apart], rows } };
}

const first = ["n", "updates", "topology", "algorithm", "problem"];

/** Size and length, then topology, algorithm and problem, then the rest; a choice before its options. */
function byImportance(a: string, b: string): number {
  const [x, y] = [a, b].map((name) => (first.indexOf(name.split(" ")[0]) + 1 || first.length + 1) * 10);
  return x + a.split(" ").length - (y + b.split(" ").length);
}

/** Every value by its name; seeds that follow from the run's own are left out. */
function flattened(run: RunSpec, files: readonly PluginEntry[]): Map<string, string> {
  const found = new Map<string, string>();
  const put = (path: readonly string[], value: unknown): void => {
    if (value === undefined || (path[path.length - 1] === "seed" && value === run.seed)) return;
    if (value !== null && typeof value === "object" && !(Array.isArray(value) && value.every(isPlain))) {
      for (const [name, inner] of Object.entries(value)) put([...path, name], inner);
      return;
    }
    // "topology name" is the topology.
    const name = path[path.length - 1] === "name" ? path.slice(0, -1) : path;
    found.set(name.join(" "), Array.isArray(value) ? value.map(shown).join(", ") : shown(value));
  };
  const { label: _label, rounds, problem, plugins, ...rest } = run;
  const { n, ...about } = problem;
  const { n: _n, ...topology } = readable(run.topology);
  put(["n"], n);
  put(["updates"], rounds);
  for (const [name, value] of Object.entries({ ...rest, topology, problem: about })) put([name], value);
  const names = plugins?.map((hash) => pluginName(hash, files));
  put(["plug-ins"], names);
  return found;
}

/** The name of a plug-in's file where it is known, and enough of its hash to tell it from another. */
function pluginName(hash: string, files: readonly PluginEntry[]): string {
  const file = files.find(({ sha256 }) => sha256 === hash)?.file.replace(/^.*[/\\]/, "");
  const bytes = `SHA-256 ${hash.slice(0, 12)}...`;
  return file === undefined ? bytes : `${file} (${bytes})`;
}

/** Six digits, because formulas give sixteen. */
const shown = (value: unknown) => String(typeof value === "number" ? Number(value.toPrecision(6)) : value);

const isPlain = (value: unknown) => value === null || typeof value !== "object";
