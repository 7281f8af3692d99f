/** The units of a run folder, done by real peers in place of the pool of simulators. */

import type { LearningUnit, Unit } from "@equitopo/experiments";
import { expandSpec, InputError, type RunSpec, type SpecDocument } from "equitopo";
import { peersOf } from "equitopo/peer";
import type { PoolOptions } from "../run/pool.ts";
import { Gathered } from "./gathered.ts";
import { launchOf, type TransportName } from "./launch.ts";
import { livePeers } from "./live.ts";

export interface PeerEngineOptions {
  readonly transport: TransportName;
  readonly timeout: number;
  readonly drop: number;
  readonly overlap: boolean;
  readonly audit: number | undefined;
  readonly quiet: boolean;
}

/** n is the spec's; --peers may say it again. */
export function checkPeers(document: SpecDocument, peers: number | undefined): number {
  const n = peersOf(expandSpec(document));
  if (peers === undefined || peers === n) return n;
  throw new InputError(`--peers must be the spec's n = ${n}`, peers, "leave it out, or change n in the spec");
}

/** Does the units with peers, all in one launch, and hands each over when it is complete. */
export function peerEngine(document: SpecDocument, options: PeerEngineOptions) {
  return async (units: readonly Unit[], { signal, onResult }: PoolOptions): Promise<void> => {
    if (units.length === 0) return;
    const all = expandSpec(document);
    const runs = units.map((unit) => (unit as LearningUnit).run);
    const places = runs.map((run) => all.findIndex((other) => same(run, other)));
    const n = peersOf(runs);
    const gathered = runs.map((run) => new Gathered(run));
    const live = livePeers({
      peers: n,
      rounds: (run) => runs[run].rounds,
      metric: (rank, run) => gathered[run].metricOf(rank),
      quiet: options.quiet,
    });
    const launch = await launchOf(options.transport);
    const { timeout, drop, overlap, audit } = options;
    try {
      await launch({
        ...{ document, runs, places, n, timeout, drop, overlap, audit },
        signal: signal ?? new AbortController().signal,
        onEvent(event) {
          if (event.kind === "record") gathered[event.run].add(event);
          else if (event.kind === "round") live.show(event);
        },
        onGone(rank) {
          live.gone(rank);
          for (const one of gathered) one.gone(rank);
        },
      });
    } finally {
      live.end();
    }
    for (let k = 0; k < units.length; k++) await onResult(units[k], gathered[k].result(options.transport));
  };
}

function same(a: RunSpec, b: RunSpec): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
