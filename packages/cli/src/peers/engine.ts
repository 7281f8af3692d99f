/** The units of a run folder, done by real peers in place of the pool of simulators. */

import { dirname } from "node:path";
import type { LaunchOptions, TransportFamily } from "@equitopo/node";
import { InputError, type RunSpec } from "equitopo";
import { peersOf, runTexts } from "equitopo/internal/peer";
import type { LearningUnit, Unit } from "equitopo/outcome";
import { contextOf } from "../run/context.ts";
import type { PoolOptions } from "../run/pool.ts";
import { gather } from "./collector.ts";
import { commonPlace, peerFiles, removePeerFiles } from "./common-place.ts";
import type { FaultLog } from "./fault-log.ts";
import { livePeers } from "./live.ts";
import { dataIsElsewhere } from "./portable.ts";
import { recordLog } from "./record-log.ts";
import type { LaunchVerdict } from "./verdict.ts";

export interface PeerEngineOptions extends Pick<LaunchOptions, "timeout" | "overlap" | "audit" | "history"> {
  readonly transport: TransportFamily;
  readonly quiet: boolean;
  readonly verdict?: LaunchVerdict;
  readonly log?: FaultLog | undefined;
}

/** n is the spec's; --peers may repeat it. */
export function checkPeers(runs: readonly RunSpec[], peers: number | undefined): number {
  const n = peersOf(runs);
  if (peers === undefined || peers === n) return n;
  throw new InputError(`--peers must be the spec's n = ${n}`, peers, "leave it out, or change n in the spec");
}

/**
 * Does the units with peers, all in one launch, and hands each over when it is complete. Where an interrupted launch
 * left its files in the folder, peers go on bit for bit from the last checkpoint that all of them share.
 */
export function peerEngine({ transport, timeout, overlap, audit, quiet, history, verdict, log }: PeerEngineOptions) {
  return async (units: readonly Unit[], options: PoolOptions): Promise<void> => {
    if (units.length === 0) return;
    const { signal, data, checkpointOf, onFile, onResult, onEvaluation, onRecord } = options;
    const runs = units.map((unit) => (unit as LearningUnit).run);
    const n = peersOf(runs);
    const context = contextOf({ data });
    const texts = runTexts({ runs, audit });
    const logs = units.map((unit, k) => checkpointOf && recordLog(`${checkpointOf(unit)}.records`, texts[k]));
    const checkpoint = checkpointOf && peerFiles(dirname(checkpointOf(units[0])));
    const collectors = runs.map((run, k) => {
      const known = transport.apart && dataIsElsewhere(run) ? { count: 0 } : context;
      return gather(run, known, {
        onEvaluation: (updates, metrics) => onEvaluation?.(units[k], updates, metrics),
        onRecord: (updates, metrics) => onRecord?.(units[k], updates, metrics),
        onEntry: (entry) => logs[k]?.add(entry),
      });
    });
    if (checkpoint !== undefined) {
      // Units are done in order: only the first can have been interrupted.
      const entries = await logs[0]!.read();
      const usable = (updates: number) => collectors[0].covers(entries, updates);
      const place = await commonPlace({ checkpoint, n, runs, audit, usable });
      if (place !== undefined) logs[0]!.goOn(collectors[0].goOn(entries, place));
    }
    const live = livePeers({
      peers: n,
      rounds: (run) => runs[run].rounds,
      metric: (rank, run) => collectors[run].metricOf(rank),
      quiet,
    });
    const handed: (Promise<void> | undefined)[] = [];
    /** A run that all peers have finished is safe from then on, whatever becomes of the next. */
    const hand = (k: number, over = false) => {
      if (handed[k] === undefined && (over || collectors[k].complete)) {
        handed[k] = store(k);
        // An error is thrown where all are awaited; a launch that goes on meanwhile is not ended by it.
        handed[k]?.catch(() => {});
      }
    };
    const store = async (k: number): Promise<void> => {
      const result = collectors[k].result(transport.name);
      for (const [name, bytes] of Object.entries(collectors[k].files())) await onFile?.(units[k], name, bytes);
      await onResult(units[k], result);
      await logs[k]?.remove();
    };
    try {
      await transport.launch({
        ...{ runs, n, timeout, overlap, audit, data, checkpoint, history },
        signal: signal ?? new AbortController().signal,
        onEvent(event) {
          options.onPeerEvent?.(event);
          verdict?.note(event);
          log?.note(event);
          if (event.kind === "record") {
            if (!collectors[event.run].add(event)) return false;
            hand(event.run);
          } else if (event.kind === "round") live.show(event);
          else if (event.kind === "fault" && event.what === "trouble") live.say(`peer ${event.rank}: ${event.reason}`);
          return true;
        },
        onNote: live.say,
        onGone(rank) {
          options.onGone?.(rank);
          live.gone(rank);
          for (const one of collectors) one.gone(rank);
        },
      });
    } finally {
      live.end();
      await Promise.all(logs.map((log) => log?.close()));
    }
    for (let k = 0; k < units.length; k++) hand(k, true);
    await Promise.all(handed);
    if (checkpoint !== undefined) await removePeerFiles(checkpoint);
    for (const one of collectors) one.close();
  };
}
