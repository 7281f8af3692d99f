/** `equitopo worker`: one peer of a spec's runs, on one of many machines. */

import { existsSync } from "node:fs";
import { checkpointPath } from "@equitopo/node";
import { handedRuns } from "@equitopo/web/internal";
import type { Command } from "commander";
import { expandSpec, InputError, type RunSpec } from "equitopo";
import { withHosts } from "equitopo/internal/run";
import { addressIn } from "../../live/reporter.ts";
import { isByHost, withHostsFile } from "../../peers/by-host.ts";
import { connectMpi, underMpi } from "../../peers/connect.ts";
import { contextOf } from "../../run/context.ts";
import { requireDriver } from "../../run/driver.ts";
import { requireNames } from "../../run/here.ts";
import { readSpecFile } from "../../spec-file.ts";
import { addFlags } from "../../terminal/flags.ts";
import { untilInterrupted } from "../../terminal/interrupt.ts";
import { workElastic } from "./elastic.ts";
import { workTogether } from "./group.ts";
import { flags, type WorkerOptions } from "./options.ts";
import { workInRoom } from "./room.ts";
import { work } from "./work.ts";

export const define = (command: Command) =>
  addFlags(
    command.argument("[spec]", "the spec that all peers have (see equitopo guide spec); a room tells it"),
    flags,
  );

export const help = `
Each peer knows the spec, its number and the hosts, and finds its partners of every round by itself; there is no server.
A peer that is killed and started again with its --checkpoint rejoins at the network's round; so does a new one that
takes over its number. All peers must agree on the spec and on --audit, or they refuse each other.
With --out DIR the folder gets result.json, metrics.csv (of this peer's own model) and the model itself.
Exit code 1 where nobody was met, where peers never took part, and where most exchanges were void.

Examples:
  equitopo worker spec.yaml --rank 3 --hosts cluster/hosts.txt --tls cluster
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --checkpoint peer-3.ckpt --timeout 2000
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --out results/%r
  equitopo worker spec.yaml --ranks 0,1,2,3 --hosts hosts.txt --key key
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --report 'http://node-0:4263/#token=...'
  mpirun -n 17 equitopo worker spec.yaml --checkpoint peer-%r.ckpt
  equitopo worker spec.yaml --rank 17 --hosts hosts.txt --key key --elastic   # a line beyond the spec's n: joins
  equitopo worker --join 'https://node-0:8117/join#room=...&key=...'
`;

export async function act(file: string | undefined, given: WorkerOptions): Promise<number> {
  const options = given.report === undefined ? given : { ...given, report: await addressIn(given.report, "report") };
  // The ranks that this program has, which under MPI and in a room are known later.
  let own: readonly number[] = options.ranks ?? (options.rank === undefined ? [] : [options.rank]);
  const onRank = (rank: number) => {
    own = [rank];
  };
  const farewell = () => farewellOf(options.checkpoint, own);
  const { join: link } = options;
  if (link !== undefined) {
    requireAlone(file, options);
    return untilInterrupted((signal) => workInRoom({ ...options, join: link, onRank }, signal), farewell);
  }
  if (file === undefined) {
    throw new InputError("a worker needs the spec", "none", "name it, or join a room with --join LINK");
  }
  const document = await readSpecFile(file);
  requireNames(document, "a worker");
  const { elastic, silence } = options;
  if (silence !== undefined && !elastic) {
    throw new InputError("--silence goes with --elastic", silence, "add --elastic, or leave it out");
  }
  if (elastic && options.ranks !== undefined) {
    throw new InputError("--elastic is for one peer a program", "--ranks", "use --rank");
  }
  const runsOf = (spec: typeof document) => {
    const all = handedRuns(spec) ?? expandSpec(spec, contextOf(options));
    const runs = withDrop(chosenRuns(all, options.only), options.drop);
    requireDriver(runs, { ...options, transport: "tcp" });
    return runs;
  };
  return untilInterrupted(async (signal) => {
    if (isByHost(document) && options.hosts === undefined && underMpi()) {
      // Which runs these are follows from the document and from what all ranks tell each other first.
      const connection = await connectMpi(JSON.stringify([document, options.audit ?? 0]), options.timeout);
      const runs = runsOf(withHosts(document, await connection.hosts()));
      return work(runs, { ...options, onRank }, signal, connection);
    }
    const runs = runsOf(withHostsFile(document, options.hosts));
    if (elastic) return workElastic(runs, options, signal);
    if (options.ranks !== undefined) return workTogether(runs, options, signal);
    return work(runs, { ...options, onRank }, signal);
  }, farewell);
}

/** What is left where the work was interrupted: the checkpoints that are there, by their names. */
function farewellOf(checkpoint: string | undefined, ranks: readonly number[]): string {
  const saved = ranks.flatMap((rank) => {
    const path = checkpoint && checkpointPath(checkpoint, rank);
    return path && existsSync(path) ? [path] : [];
  });
  if (checkpoint === undefined) return "interrupted";
  if (saved.length === 0) return "interrupted before the first checkpoint";
  return `interrupted; ${saved.join(", ")} ${saved.length > 1 ? "hold the last checkpoints" : "holds the last checkpoint"}`;
}

/** A room says all that these say otherwise. */
function requireAlone(file: string | undefined, options: WorkerOptions): void {
  const words = [
    ...(["rank", "ranks", "hosts", "key", "insecure", "drop", "overlap", "audit", "only", "report"] as const),
    ...(["elastic", "history"] as const),
  ];
  const given = file !== undefined ? "a spec" : words.find((word) => options[word] !== undefined);
  if (given === undefined) return;
  throw new InputError(
    "--join takes the runs and the seat from the room",
    file === undefined ? `--${given}` : file,
    "leave it out",
  );
}

function chosenRuns(all: readonly RunSpec[], only: readonly number[] | undefined): readonly RunSpec[] {
  if (only === undefined) return all;
  return only.map((k) => {
    if (all[k] === undefined) throw new InputError(`the spec has runs 0 to ${all.length - 1}`, k, "leave it out");
    return all[k];
  });
}

/** All peers must lose alike, or they refuse each other. */
function withDrop(runs: readonly RunSpec[], drop: number | undefined): readonly RunSpec[] {
  return drop === undefined ? runs : runs.map((run) => ({ ...run, faults: { ...run.faults, drop } }));
}
