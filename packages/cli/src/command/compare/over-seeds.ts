/** A row of a comparison over several seeds: the means, how they scatter, and which rows can be distinguished. */

import type { Topology } from "equitopo";
import { type Difference, pairedDifferences, summaryOf } from "equitopo/outcome";
import type { Progress } from "../../terminal/progress.ts";
import { type Row, type RowCost, rowOf } from "./comparison.ts";
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
  const over = (of: (row: Row) => number) => summaryOf(rows.map(of));
  const mean = (of: (row: Row) => number) => over(of).mean;
  const cost = (of: (row: Row) => RowCost) => ({
    rounds: mean((row) => of(row).rounds),
    bytes: mean((row) => of(row).bytes),
  });
  const ended = rows.every(({ measured }) => measured !== null);
  const measured = (of: (cost: RowCost) => number) => (ended ? over((row) => of(row.measured as RowCost)) : null);
  const faulty = rows.flatMap((row) => (row.faulty ? [row.faulty] : []));
  const parts = Math.max(...rows.map((row) => row.parts ?? 1));
  const { rate, gap: _gap, ...more } = first.rate;
  const drawn = new Set(graphs.values()).size > 1;
  return {
    ...first,
    rate: drawn ? { ...more, rate: mean((row) => row.rate.rate), ...meansOf(rows) } : first.rate,
    ...(parts > 1 ? { parts } : {}),
    ...(first.gains === undefined || rows.some(({ gains }) => gains === undefined)
      ? {}
      : { gains: { ...first.gains, rms: mean((row) => row.gains!.rms), worst: mean((row) => row.gains!.worst) } }),
    predicted: cost(({ predicted }) => predicted),
    measured: ended ? cost((row) => row.measured as RowCost) : null,
    ...(first.faulty === undefined
      ? {}
      : {
          faulty:
            faulty.length < rows.length
              ? null
              : {
                  rounds: summaryOf(faulty.map((one) => one.rounds)).mean,
                  shift: summaryOf(faulty.map((one) => one.shift)).mean,
                },
        }),
    overSeeds: {
      seeds: [...graphs.keys()],
      degree: over(({ topology }) => topology.maxDegree),
      rate: over((row) => row.rate.rate),
      rounds: measured(({ rounds }) => rounds),
      bytes: measured(({ bytes }) => bytes),
      ...{ graphs, rows },
    },
  };
}

/** Of what else the rates of all draws have. */
function meansOf(rows: readonly Row[]): Partial<Row["rate"]> {
  const keys = ["periodRate", "periodNorm", "asymptotic"] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const values = rows.map(({ rate }) => rate[key]);
      return values.every((value) => value !== undefined) ? [[key, summaryOf(values).mean]] : [];
    }),
  );
}

/** Of the rounds measured, seed by seed, between rows of one n that have several. */
export function rowDifferences(rows: readonly Row[]): Difference[] {
  const sizes = [...new Set(rows.map(({ topology }) => topology.n))];
  const found = sizes.flatMap((n) =>
    pairedDifferences(
      new Map(
        rows.flatMap(({ topology, label, overSeeds }) => {
          if (topology.n !== n || overSeeds?.rounds == null) return [];
          return [
            [label, new Map(overSeeds.seeds.map((seed, k) => [seed, overSeeds.rows[k].measured!.rounds]))] as const,
          ];
        }),
      ),
    ),
  );
  return found;
}
