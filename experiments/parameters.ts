/**
 * What runs were asked for, as tables: what all of them have in common, and a row for each with what sets it apart.
 * Nested values become names of several words ("algorithm learningRate rate").
 */

import type { RunSpec } from "equitopo";

export interface Parameters {
  readonly common: Readonly<Record<string, string>>;
  /** Left out where runs differ in nothing but their seeds. */
  readonly differing?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
  };
}

/** `runs` of one label differ in their seeds only, and share a row. */
export function parametersOf(runs: readonly RunSpec[]): Parameters {
  const flat = runs.map(flattened);
  const names = [...new Set(flat.flatMap((one) => [...one.keys()]))].sort(byImportance);
  const labels = [...new Set(runs.map(({ label }) => label))];
  const valuesFor = (label: string, name: string) => [
    ...new Set(flat.filter((_, k) => runs[k].label === label).map((one) => one.get(name) ?? null)),
  ];
  const cell = (label: string, name: string) => {
    const found = valuesFor(label, name);
    return found.length === 1 ? found[0] : "drawn anew with each seed";
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

/** Size and length, then what is run on what, then the rest; what is chosen before its options. */
function byImportance(a: string, b: string): number {
  const [x, y] = [a, b].map((name) => (first.indexOf(name.split(" ")[0]) + 1 || first.length + 1) * 10);
  return x + a.split(" ").length - (y + b.split(" ").length);
}

/** Every value under its name; seeds that follow from the run's own are left out. */
function flattened(run: RunSpec): Map<string, string> {
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
  const { label: _label, rounds, problem, ...rest } = run;
  const { n, ...about } = problem;
  const { n: _n, ...topology } = run.topology;
  put(["n"], n);
  put(["updates"], rounds);
  for (const [name, value] of Object.entries({ ...rest, topology, problem: about })) put([name], value);
  return found;
}

/** Six digits: what a formula gave has sixteen. */
const shown = (value: unknown) => String(typeof value === "number" ? Number(value.toPrecision(6)) : value);

const isPlain = (value: unknown) => value === null || typeof value !== "object";
