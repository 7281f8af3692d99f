/** `run --report`: does the units of a run as always, with any engine, and reports on them to a studio. */

import type { PeerEvent } from "@equitopo/node/internal";
import type { LiveEvent, LiveSpec } from "@equitopo/web";
import type { RunResult, RunSpec } from "equitopo";
import type { LearningUnit } from "equitopo/outcome";
import type { runUnits } from "../run/pool.ts";
import type { Reporter } from "./reporter.ts";

export interface Telling {
  readonly reporter: Reporter;
  readonly title: string;
  readonly how: string;
}

export function begin({ title, how }: Omit<Telling, "reporter">, runs: readonly RunSpec[]): LiveEvent {
  const short = (text: string) => text.slice(0, 200);
  const specs = runs.map(
    ({ label, topology, rounds, seed }): LiveSpec => ({ label: short(label), topology, rounds, seed }),
  );
  return { kind: "begin", title: short(title), how, runs: specs };
}

/** What a studio learns from a peer's event: its round and what went wrong, not its model. */
export function liveEvent(event: PeerEvent): LiveEvent | undefined {
  if (event.kind === "round") {
    return { ...event, partners: event.partners.slice(0, 1000) };
  }
  if (event.kind === "end") return { kind: "end", rank: event.rank };
  // Their sums come with the records.
  if (event.kind === "fault") return undefined;
  const { missed, voided, late, reconnects, refused, longestWait } = event.faults;
  const faults = { missed, voided, late, reconnects, refused, longestWait };
  return { kind: "faults", rank: event.rank, run: event.run, faults };
}

/** The engine, with everything that it reports passed on. */
export function reportingEngine(engine: typeof runUnits, { reporter, ...words }: Telling): typeof runUnits {
  return async (units, options) => {
    const runs = units.map((unit) => (unit as LearningUnit).run);
    const numberOf = (unit: (typeof units)[number]) => units.indexOf(unit);
    const recorded = new Set<number>();
    const metrics = (run: number, updates: number, values: Readonly<Record<string, number>>) =>
      reporter.tell({ kind: "metrics", run, updates, metrics: values });
    reporter.tell(begin(words, runs));
    try {
      await engine(units, {
        ...options,
        onProgress(unit, share) {
          reporter.tell({ kind: "share", run: numberOf(unit), share });
          options.onProgress?.(unit, share);
        },
        onEvaluation(unit, updates, values) {
          metrics(numberOf(unit), updates, values);
          options.onEvaluation?.(unit, updates, values);
        },
        onRecord(unit, updates, values) {
          recorded.add(numberOf(unit));
          metrics(numberOf(unit), updates, values);
          options.onRecord?.(unit, updates, values);
        },
        onPeerEvent(event) {
          const live = liveEvent(event);
          if (live !== undefined) reporter.tell(live);
          options.onPeerEvent?.(event);
        },
        onGone(rank) {
          reporter.tell({ kind: "gone", rank });
          options.onGone?.(rank);
        },
        async onResult(unit, result) {
          const run = numberOf(unit);
          // A simulation's points come all at once.
          if (!recorded.has(run))
            for (const point of pointsOf(result as RunResult)) metrics(run, point.updates, point.metrics);
          reporter.tell({ kind: "result", run, stateHash: (result as RunResult).stateHash });
          await options.onResult(unit, result);
        },
      });
    } finally {
      reporter.tell({ kind: "over" });
      await reporter.close();
    }
  };
}

/** At most so many points of a curve are reported at once. */
const mostPoints = 500;

function pointsOf({ updates, metrics }: RunResult) {
  const step = Math.ceil(updates.length / mostPoints);
  return updates.flatMap((at, k) => {
    if (k % step !== 0 && k !== updates.length - 1) return [];
    const here = Object.fromEntries(Object.entries(metrics).map(([name, list]) => [name, list[k]]));
    return [{ updates: at, metrics: here }];
  });
}
