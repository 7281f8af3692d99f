/** `equitopo run --transport`: real peers do the runs, and the report can show a simulation beside them. */

import { join } from "node:path";
import type { TransportFamily } from "@equitopo/node";
import { InputError, type RunResult, type RunSpec } from "equitopo";
import { defined } from "equitopo/internal/input";
import { defaultTimeout, peersOf } from "equitopo/internal/peer";
import { runUnits } from "../run/pool.ts";
import type { RunOptions } from "../run/run-experiments.ts";
import { between, type CommonOptions, type Given, on, whole, word } from "../terminal/flags.ts";
import { makeEmptyFolder, makeFolder, note } from "../terminal/output.ts";
import type { RealResult } from "./collector.ts";
import { differenceTable, sameBits } from "./difference.ts";
import { checkPeers, peerEngine } from "./engine.ts";
import { logLevelFlag, openFaultLog } from "./fault-log.ts";
import { dataIsElsewhere } from "./portable.ts";
import { transports } from "./transports.ts";
import { type LaunchVerdict, launchVerdict } from "./verdict.ts";

export const peerFlags = {
  transport: word("<T>", "real peers on this machine over threads, tcp, threads-tcp or mpi, in place of the simulator"),
  hosts: word("<FILE>", "where peers would be, for groups by host: one host:port a line, peer 0 first"),
  peers: whole("<N>", "the number of peers: the spec's n", 2, 17),
  timeout: whole("<MS>", "peers: the longest an exchange takes (default 10000)", 1, 1000),
  drop: between("<P>", "lose this share of the messages on purpose", 0, 1, 0.05),
  overlap: on("peers: send while the gradient is computed (combine-then-adapt only)"),
  audit: whole("<K>", "peers: repair gradient tracking every K iterations", 2, 100),
  history: word("<DIR>", "peers: write down what each applied, for equitopo verify --history DIR"),
  log: word("<FILE>", "peers: append what happens to them, one JSON object a line (see equitopo guide formats)"),
  logLevel: logLevelFlag,
};

export type PeerRunOptions = CommonOptions &
  Given<typeof peerFlags> & { readonly data?: string; readonly resume?: true };

/** What makes real peers do the runs, and what they made of them once they have. */
export type PeerOptions = Partial<RunOptions> & { readonly verdict?: LaunchVerdict };

/** What makes real peers do the runs; nothing where the simulator does. */
export function peerOptions(runs: readonly RunSpec[], options: PeerRunOptions): PeerOptions {
  if (options.transport === undefined) {
    const given = (["peers", "timeout", "log"] as const).find((name) => options[name] !== undefined);
    if (given === undefined) return {};
    const remedy = `add --transport ${transports.names.join("|")}`;
    throw new InputError(`--${given} is for real peers`, "no --transport", remedy);
  }
  if (!transports.has(options.transport)) {
    const rule = `--transport is one of ${transports.names.join(", ")}`;
    throw new InputError(rule, options.transport, "try --transport threads");
  }
  checkPeers(runs, options.peers);
  return realPeers(runs, transports.get(options.transport), options);
}

/** What makes the runs those of real peers over this transport. */
export function realPeers(
  runs: readonly RunSpec[],
  transport: TransportFamily,
  options: Omit<PeerRunOptions, "transport" | "peers">,
): PeerOptions & Required<Pick<PeerOptions, "engine" | "verdict">> {
  const { timeout = defaultTimeout, overlap = false, audit } = options;
  const peers = peersOf(runs);
  const quiet = options.quiet === true || options.json === true;
  const verdict = launchVerdict(peers);
  const say = (text: string) => note(text, options);
  const log = options.log === undefined ? undefined : openFaultLog(options.log, say, options.logLevel);
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
  if (resume) makeFolder(folder);
  else makeEmptyFolder("--history", folder);
  return join(folder, "peer-%r.ndjson");
}

/** The same runs by the simulator, for comparison. */
async function simulated(runs: readonly RunSpec[], data: string | undefined): Promise<RunResult[]> {
  const found: RunResult[] = [];
  const units = runs.map((run, k) => ({ kind: "learning", key: String(k), run }) as const);
  await runUnits(units, {
    ...defined({ data }),
    onResult: (unit, result) => {
      found[Number(unit.key)] = result as RunResult;
    },
  });
  return found;
}
