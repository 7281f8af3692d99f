/** A row of a comparison over several seeds: the means, how they scatter, and which rows can be distinguished. */

import type { Topology } from "equitopo";
import { defined } from "equitopo/internal/input";
import { type Difference, pairedDifferences, type Summary, summaryOf } from "equitopo/outcome";
import type { Progress } from "../../terminal/progress.ts";
import { type Row, rowOf } from "./comparison.ts";
import type { Contestant } from "./entrants.ts";
import type { ComparisonOptions } from "./options.ts";

/** Draws with every seed, or one graph from a start of every seed. */
export function rowOverSeeds(one: Contestant, options: ComparisonOptions, where: string, progress: Progress): Row {
  const { seed = 0, seeds = [seed] } = options;
  const graphs = one.draws ?? new Map(seeds.map((at) => [at, one.topology]));
  const rows: Row[] = [];
  for (const [at, topology] of graphs) {
    const before = one.draws === undefined ? rows[0] : undefined;
    rows.push(rowOf({ ...one, topology }, { ...options, seed: at }, where, progress, before));
  }
  return rows.length === 1 ? rows[0] : merged(rows, graphs);
}

function merged(rows: readonly Row[], graphs: ReadonlyMap<number, Topology>): Row {
  const [first] = rows;
  /** Of what all of them have. */
  const over = (of: (row: Row) => number | undefined) => {
    const values = rows.map(of);
    return values.every((value) => value !== undefined) ? summaryOf(values) : undefined;
  };
  const mean = (of: (row: Row) => number | undefined) => over(of)?.mean as number;
  const [rounds, bytes] = [over(({ measured }) => measured?.rounds), over(({ measured }) => measured?.bytes)];
  const parts = Math.max(...rows.map((row) => row.parts ?? 1));
  const { gap: _gap, ...rate } = first.rate;
  const means = (["rate", "periodRate", "periodNorm", "asymptotic"] as const).map((key) => [
    key,
    mean((row) => row.rate[key]),
  ]);
  const gains = { rms: mean((row) => row.gains?.rms), worst: mean((row) => row.gains?.worst) };
  const faulty = { rounds: mean((row) => row.faulty?.rounds), shift: mean((row) => row.faulty?.shift) };
  return {
    ...first,
    rate: new Set(graphs.values()).size > 1 ? { ...rate, ...defined(Object.fromEntries(means)) } : first.rate,
    ...(parts > 1 ? { parts } : {}),
    ...(first.gains === undefined || gains.rms === undefined ? {} : { gains: { ...first.gains, ...gains } }),
    predicted: { rounds: mean(({ predicted }) => predicted.rounds), bytes: mean(({ predicted }) => predicted.bytes) },
    measured: rounds && bytes ? { rounds: rounds.mean, bytes: bytes.mean } : null,
    ...(first.faulty === undefined ? {} : { faulty: faulty.rounds === undefined ? null : faulty }),
    overSeeds: {
      seeds: [...graphs.keys()],
      degree: over(({ topology }) => topology.maxDegree) as Summary,
      rate: over((row) => row.rate.rate) as Summary,
      rounds: rounds ?? null,
      bytes: bytes ?? null,
      ...{ graphs, rows },
    },
  };
}

/** Of the rounds measured, seed by seed, between rows of one n that have several. */
export function rowDifferences(rows: readonly Row[]): Difference[] {
  const sizes = [...new Set(rows.map(({ topology }) => topology.n))];
  return sizes.flatMap((n) => {
    const series = rows.flatMap(({ topology, label, overSeeds }) => {
      if (topology.n !== n || overSeeds?.rounds == null) return [];
      const { seeds, rows: runs } = overSeeds;
      return [[label, new Map(seeds.map((seed, k) => [seed, runs[k].measured!.rounds]))] as const];
    });
    return pairedDifferences(new Map(series));
  });
}
