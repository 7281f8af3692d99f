/** `equitopo run --transport`: what makes real peers do the runs, and a simulation stand beside them in the report. */

import { expandSpec, InputError, type RunResult, type SpecDocument } from "equitopo";
import { defaultTimeout } from "equitopo/peer";
import type { CommonOptions } from "../commands.ts";
import { runUnits } from "../run/pool.ts";
import type { RunOptions } from "../run/run-experiments.ts";
import { differenceTable } from "./difference.ts";
import { checkPeers, peerEngine } from "./engine.ts";
import type { RealResult } from "./gathered.ts";
import { transports } from "./launch.ts";

export interface PeerRunOptions extends CommonOptions {
  readonly peers?: number;
  readonly transport?: string;
  readonly timeout?: number;
  readonly drop?: number;
  readonly overlap?: true;
  readonly audit?: number;
}

/** What makes real peers do the runs; nothing where the simulator does. */
export function peerOptions(document: SpecDocument, options: PeerRunOptions): Partial<RunOptions> {
  if (options.transport === undefined) {
    const given = (["peers", "timeout", "drop", "overlap", "audit"] as const).find(
      (name) => options[name] !== undefined,
    );
    if (given === undefined) return {};
    throw new InputError(`--${given} is for real peers`, "no --transport", `add --transport ${transports.join("|")}`);
  }
  const found = transports.find((name) => name === options.transport);
  if (found === undefined) {
    throw new InputError(
      `--transport is one of ${transports.join(", ")}`,
      options.transport,
      "try --transport threads",
    );
  }
  const { timeout = defaultTimeout, drop = 0, overlap = false, audit } = options;
  const peers = checkPeers(document, options.peers);
  const quiet = options.quiet === true || options.json === true;
  return {
    engine: peerEngine(document, { transport: found, timeout, drop, overlap, audit, quiet }),
    mark: { transport: found, peers, drop },
    quiet: true,
    extraTables: async ({ results }) => {
      const real = [...results.values()] as RealResult[];
      return [differenceTable(await simulated(document), real)];
    },
  };
}

/** The same runs by the simulator, for comparison. */
async function simulated(document: SpecDocument): Promise<RunResult[]> {
  const found = new Map<string, RunResult>();
  const units = expandSpec(document).map((run, k) => ({ kind: "learning", key: String(k), run }) as const);
  await runUnits(units, {
    onResult: (unit, result) => {
      found.set(unit.key, result as RunResult);
    },
  });
  return units.map(({ key }) => found.get(key) as RunResult);
}
