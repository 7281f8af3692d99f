/** `equitopo run --transport`: what makes real peers do the runs, and a simulation stand beside them in the report. */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TransportMember } from "@equitopo/node";
import { InputError, type RunResult, type RunSpec } from "equitopo";
import { defaultTimeout, peersOf, requireCheckable } from "equitopo/peer";
import { note } from "../output.ts";
import { runUnits } from "../run/pool.ts";
import type { RunOptions } from "../run/run-experiments.ts";
import type { CommonOptions } from "../session.ts";
import { differenceTable, sameBits } from "./difference.ts";
import { checkPeers, peerEngine } from "./engine.ts";
import { openFaultLog } from "./fault-log.ts";
import type { RealResult } from "./gathered.ts";
import { dataIsElsewhere } from "./portable.ts";
import { transports } from "./transports.ts";
import { LaunchVerdict } from "./verdict.ts";

export interface PeerRunOptions extends CommonOptions {
  readonly peers?: number;
  readonly transport?: string;
  readonly data?: string;
  readonly timeout?: number;
  readonly overlap?: true;
  readonly audit?: number;
  readonly history?: string;
  readonly log?: string;
  readonly resume?: true;
}

/** What makes real peers do the runs, and what they made of them once they have. */
export type PeerOptions = Partial<RunOptions> & { readonly verdict?: LaunchVerdict };

/** What makes real peers do the runs; nothing where the simulator does. */
export function peerOptions(runs: readonly RunSpec[], options: PeerRunOptions): PeerOptions {
  if (options.transport === undefined) {
    const given = (["peers", "timeout", "overlap", "audit", "history", "log"] as const).find(
      (name) => options[name] !== undefined,
    );
    if (given === undefined) return {};
    throw new InputError(
      `--${given} is for real peers`,
      "no --transport",
      `add --transport ${transports.names.join("|")}`,
    );
  }
  if (!transports.has(options.transport)) {
    throw new InputError(
      `--transport is one of ${transports.names.join(", ")}`,
      options.transport,
      "try --transport threads",
    );
  }
  checkPeers(runs, options.peers);
  return realPeers(runs, transports.get(options.transport), options);
}

/** What makes the runs those of real peers over this transport. */
export function realPeers(
  runs: readonly RunSpec[],
  transport: TransportMember,
  options: Omit<PeerRunOptions, "transport" | "peers">,
): PeerOptions & Required<Pick<PeerOptions, "engine" | "verdict">> {
  const { timeout = defaultTimeout, overlap = false, audit } = options;
  const peers = peersOf(runs);
  if (options.history !== undefined) requireCheckable(runs);
  const quiet = options.quiet === true || options.json === true;
  const verdict = new LaunchVerdict(peers);
  const log = options.log === undefined ? undefined : openFaultLog(options.log, (text) => note(text, options));
  return {
    engine: peerEngine({ transport, timeout, overlap, audit, quiet, history: historiesIn(options), verdict, log }),
    verdict,
    mark: { transport: transport.name, peers },
    quiet: true,
    compare: async ({ results }) => {
      // Nobody could simulate what only the peers have the data for.
      if (transport.apart && runs.some(dataIsElsewhere)) return { tables: [] };
      const real = [...results.values()] as RealResult[];
      const async = runs.some(({ mode }) => mode === "async");
      const expected = await simulated(runs, options.data);
      return { tables: [differenceTable(expected, real, async)], headline: sameBits(expected, real, async) };
    },
  };
}

/** The files of the peers' histories, in a folder of their own: others in it would be checked along with them. */
function historiesIn({ history: folder, resume }: Pick<PeerRunOptions, "history" | "resume">): string | undefined {
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  if (!resume && readdirSync(folder).length > 0) {
    throw new InputError("--history needs an empty folder", folder, "name another, or empty it");
  }
  return join(folder, "peer-%r.ndjson");
}

/** The same runs by the simulator, for comparison. */
async function simulated(runs: readonly RunSpec[], data: string | undefined): Promise<RunResult[]> {
  const found = new Map<string, RunResult>();
  const units = runs.map((run, k) => ({ kind: "learning", key: String(k), run }) as const);
  await runUnits(units, {
    ...(data === undefined ? {} : { data }),
    onResult: (unit, result) => {
      found.set(unit.key, result as RunResult);
    },
  });
  return units.map(({ key }) => found.get(key) as RunResult);
}
