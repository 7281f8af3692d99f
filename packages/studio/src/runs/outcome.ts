/**
 * What is shown of a run's folder, from its journal: curves of what is finished, by the rules of the run's own report
 * (panelsOf), and tables. A folder may hold several experiments, and each may be finished in part.
 */

import type { RunResult, RunSpec } from "equitopo";
import {
  bandOf,
  groupByLabel,
  metricsOf,
  type Panel,
  panelsOf,
  runKey,
  type Series,
  words,
} from "equitopo/internal/outcome";
import type { FolderContent } from "equitopo/run";
import type { Sheet } from "../page.ts";
import { faultNames } from "./progress.ts";

export type Outcome = ReturnType<typeof outcomesOf>[number];

export interface RunFigure {
  readonly metric: string;
  /** By what the curves are drawn against: updates, bytes, seconds, rounds. */
  readonly panels: Readonly<Record<string, Panel>>;
}

type Done = { readonly key: string; readonly unit: Readonly<Record<string, unknown>>; readonly result: unknown };

/** One for each experiment of which something is finished. O(results). */
export function outcomesOf({ spec, results }: FolderContent) {
  return spec.experiments
    .map((experiment) => {
      const done = spec.units
        .filter(({ key }) => key.startsWith(`${experiment}: `) && results.has(key))
        .map(({ key, unit }): Done => ({ key, unit, result: results.get(key) }));
      const learning = done.filter(({ unit }) => unit["kind"] === "learning");
      const gossip = done.filter(({ unit }) => unit["kind"] === "gossip");
      return {
        experiment,
        figures: [...(learning.length > 0 ? learned(learning) : []), ...(gossip.length > 0 ? [gossiped(gossip)] : [])],
        tables: learning.length > 0 ? tablesOf(learning) : [],
      };
    })
    .filter(({ figures, tables }) => figures.length + tables.length > 0);
}

const resultOf = ({ result }: Done) => result as RunResult & { readonly real?: RealPart };

/** What real peers leave beside a simulation's result. */
interface RealPart {
  readonly transport: string;
  readonly peers: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly lost: readonly number[];
}

function learned(done: readonly Done[]): RunFigure[] {
  const runs = done.map(({ unit }) => unit["run"] as RunSpec);
  const measured = resultOf(done[0]).real !== undefined;
  const results = new Map(runs.map((run, k) => [runKey(run, k), resultOf(done[k])]));
  const about = measured ? { seconds: "seconds measured, gradients included" } : {};
  const byLabel = groupByLabel(results, runs);
  return metricsOf(byLabel).map((metric) => {
    const named = panelsOf(byLabel, metric, about).map((panel) => [panel.title.replace("against ", ""), panel]);
    return { metric: words(metric), panels: Object.fromEntries(named) };
  });
}

/** Errors by round; repeats of one line are one band. */
function gossiped(done: readonly Done[]): RunFigure {
  const lines = new Map<string, (readonly number[])[]>();
  for (const { unit, result } of done) {
    const label = String(unit["key"]).replace(/ repeat=\d+$/, "");
    lines.set(label, [...(lines.get(label) ?? []), (result as { errors: readonly number[] }).errors]);
  }
  const series = [...lines].map(([label, curves]): Series => bandOf(label, curves));
  const panel = { title: "against rounds", xLabel: "rounds", yLabel: "disagreement", yLog: true, series };
  return { metric: "disagreement", panels: { rounds: panel } };
}

const last = (list: readonly number[]) => list[list.length - 1] ?? null;

function tablesOf(done: readonly Done[]): Sheet[] {
  const results = done.map(resultOf);
  const recorded = ({ metrics, evaluations }: RunResult) => ({ ...evaluations?.metrics, ...metrics });
  const metrics = [...new Set(results.flatMap((run) => [run.metric, ...Object.keys(recorded(run))]))];
  const ends = (run: RunResult) => metrics.map((name) => last(recorded(run)[name] ?? []));
  const real = results.filter((run) => run.real !== undefined);
  return [
    {
      name: "After the last update",
      columns: ["run", "seed", "exact rate", ...metrics.map(words), "bytes per node", "seconds", "state"],
      rows: results.map((run) => [
        ...[run.label, String(run.seed), run.rate, ...ends(run), last(run.bytes), last(run.seconds)],
        run.stateHash.slice(0, 12),
      ]),
    },
    ...(real.length === 0 ? [] : [peersTable(real)]),
  ];
}

function peersTable(results: readonly (RunResult & { readonly real?: RealPart })[]): Sheet {
  return {
    name: "Peers",
    columns: ["run", "seed", "peers", "over", ...faultNames, "longest wait, ms", "lost"],
    rows: results.map(({ label, seed, real }) => {
      const { transport, peers, faults, lost } = real as RealPart;
      const counts = faultNames.map((name) => faults[name] ?? null);
      return [
        ...[label, String(seed), peers, transport, ...counts, faults["longestWait"] ?? null],
        lost.join(" ") || "none",
      ];
    }),
  };
}
