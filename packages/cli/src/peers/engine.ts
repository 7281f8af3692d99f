/** The units of a run folder, done by real peers in place of the pool of simulators. */

import type { LearningUnit, Unit } from "@equitopo/experiments";
import type { TransportMember } from "@equitopo/node";
import { InputError, type RunSpec } from "equitopo";
import { peersOf } from "equitopo/peer";
import { contextOf } from "../run/context.ts";
import type { PoolOptions } from "../run/pool.ts";
import { Gathered } from "./gathered.ts";
import { livePeers } from "./live.ts";

export interface PeerEngineOptions {
  readonly transport: TransportMember;
  readonly timeout: number;
  readonly overlap: boolean;
  readonly audit: number | undefined;
  readonly quiet: boolean;
}

/** n is the spec's; --peers may say it again. */
export function checkPeers(runs: readonly RunSpec[], peers: number | undefined): number {
  const n = peersOf(runs);
  if (peers === undefined || peers === n) return n;
  throw new InputError(`--peers must be the spec's n = ${n}`, peers, "leave it out, or change n in the spec");
}

/** Does the units with peers, all in one launch, and hands each over when it is complete. */
export function peerEngine({ transport, timeout, overlap, audit, quiet }: PeerEngineOptions) {
  return async (units: readonly Unit[], options: PoolOptions): Promise<void> => {
    if (units.length === 0) return;
    const { signal, data, onResult, onEvaluation } = options;
    const runs = units.map((unit) => (unit as LearningUnit).run);
    const n = peersOf(runs);
    const context = contextOf(data === undefined ? {} : { data });
    const gathered = runs.map(
      (run, k) => new Gathered(run, context, (updates, metrics) => onEvaluation?.(units[k], updates, metrics)),
    );
    const live = livePeers({
      peers: n,
      rounds: (run) => runs[run].rounds,
      metric: (rank, run) => gathered[run].metricOf(rank),
      quiet,
    });
    const handed: (void | Promise<void>)[] = [];
    /** A run that all peers have finished is safe from then on, whatever becomes of the next. */
    const hand = (k: number, over = false) => {
      if (handed[k] === undefined && (over || gathered[k].complete)) {
        handed[k] = Promise.resolve(onResult(units[k], gathered[k].result(transport.name)));
      }
    };
    try {
      await transport.launch({
        ...{ runs, n, timeout, overlap, audit, data },
        signal: signal ?? new AbortController().signal,
        onEvent(event) {
          if (event.kind === "record") {
            gathered[event.run].add(event);
            hand(event.run);
          } else if (event.kind === "round") live.show(event);
        },
        onGone(rank) {
          live.gone(rank);
          for (const one of gathered) one.gone(rank);
        },
      });
    } finally {
      live.end();
    }
    for (let k = 0; k < units.length; k++) hand(k, true);
    await Promise.all(handed);
    for (const one of gathered) one.close();
  };
}
