/** `equitopo worker`: one peer of a spec's runs, on one of many machines. */

import { handedRuns } from "@equitopo/web";
import type { Command } from "commander";
import { expandSpec, InputError, type RunSpec } from "equitopo";
import { defaultTimeout, requireCheckable } from "equitopo/peer";
import { withHosts } from "equitopo/run";
import { betweenOption, integerOption, listOption } from "../arguments.ts";
import { untilInterrupted } from "../interrupt.ts";
import { isByHost, withHostsFile } from "../peers/by-host.ts";
import { connectMpi, underMpi } from "../peers/connect.ts";
import { workElastic } from "../peers/elastic.ts";
import { workInRoom } from "../peers/join-room.ts";
import { requireNames } from "../run/here.ts";
import type { Session } from "../session.ts";
import { readSpecFile } from "../spec-file.ts";
import { workTogether } from "../worker/together.ts";
import { contextFor, type WorkerOptions, work } from "../worker/work.ts";

export function define(command: Command, session: Session): void {
  command
    .argument("[spec]", "the spec that all peers have (see equitopo guide spec); a room tells it")
    .option("--join <LINK>", "take a seat in a room by its invite link (equitopo serve); - reads it from stdin")
    .option("--rank <R>", "this peer's number, from 0 (under mpirun: MPI's rank)", integerOption("rank", 0, 3))
    .option(
      "--ranks <LIST>",
      "several peers as threads of this program, which reach the others over TCP",
      listOption("ranks", "0,1,2"),
    )
    .option("--hosts <FILE>", "one host:port a line, peer 0 first (see equitopo cluster init)")
    .option("--listen <ADDR>", "where to listen, where that is not this peer's line in --hosts")
    .option("--tls <DIR>", "mutual TLS with the authority and certificates of equitopo cluster init")
    .option("--key <FILE>", "a pre-shared key (equitopo cluster init --key)")
    .option("--insecure", "plain TCP off this machine, where everyone on the network may read and write")
    .option(
      "--checkpoint <FILE>",
      "kept up to date (%r: the rank); where it exists, the peer goes on from it and rejoins",
    )
    .option(
      "--checkpoint-every <K>",
      "iterations between two checkpoints (default: about 10 seconds)",
      integerOption("checkpoint-every", 1, 10),
    )
    .option("--timeout <MS>", "the longest an exchange takes", integerOption("timeout", 1, 1000), defaultTimeout)
    .option("--start-timeout <MS>", "to wait for all to come", integerOption("start-timeout", 1, 60_000), 60_000)
    .option(
      "--elastic",
      "members may come and go: agreed on by a majority (see equitopo guide cluster); seats are lines of --hosts",
    )
    .option(
      "--silence <MS>",
      "with --elastic: a member that says nothing for so long is missed (default: 10000)",
      integerOption("silence", 100, 10_000),
    )
    .option("--drop <P>", "lose this share of the messages on purpose", betweenOption("drop", 0, 1, 0.05))
    .option("--overlap", "send while the gradient is computed (combine-then-adapt only)")
    .option("--audit <K>", "repair gradient tracking every K iterations", integerOption("audit", 2, 100))
    .option("--history <FILE>", "write down what is applied (%r: the rank), for equitopo verify --history")
    .option("--log <FILE>", "append what goes wrong, one JSON object a line (%r: the rank; see equitopo guide cluster)")
    .option("--alone-ok", "exit code 0 even where nobody was met, peers never took part or most exchanges were void")
    .option("--data <DIR>", "the folder of data sets")
    .option("--only <LIST>", "of the spec's runs only these, from 0", listOption("only", "0,2"))
    .option(
      "--report <WHERE>",
      "tell what happens: to a studio by its address, or through a launcher's local socket (and end with it)",
    )
    .addHelpText(
      "after",
      `
Each peer knows the spec, its number and the hosts, and finds its partners of every round by itself; there is no server.
A peer that is killed and started again with its --checkpoint rejoins at the network's round; so does a new one that
takes over its number. All peers must agree on the spec and on --audit, or they refuse each other.
Exit code 1 where nobody was met, where peers never took part, and where most exchanges were void.

Examples:
  equitopo worker spec.yaml --rank 3 --hosts cluster/hosts.txt --tls cluster
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --checkpoint peer-3.ckpt --timeout 2000
  equitopo worker spec.yaml --ranks 0,1,2,3 --hosts hosts.txt --key key
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --report 'http://node-0:4263/#token=...'
  mpirun -n 17 equitopo worker spec.yaml --checkpoint peer-%r.ckpt
  equitopo worker spec.yaml --rank 17 --hosts hosts.txt --key key --elastic   # a line beyond the spec's n: joins
  equitopo worker --join 'https://node-0:8117/join#room=...&key=...'
`,
    )
    .action(async (file: string | undefined, options: WorkerOptions) => {
      const farewell =
        options.checkpoint === undefined
          ? "interrupted"
          : `interrupted; ${options.checkpoint} holds the last checkpoint`;
      const { join: link } = options;
      if (link !== undefined) {
        requireAlone(file, options);
        session.exitCode = await untilInterrupted((signal) => workInRoom({ ...options, join: link }, signal), farewell);
        return;
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
        const all = handedRuns(spec) ?? expandSpec(spec, contextFor(options));
        const runs = withDrop(chosenRuns(all, options.only), options.drop);
        if (options.history !== undefined) requireCheckable(runs);
        return runs;
      };
      session.exitCode = await untilInterrupted(async (signal) => {
        if (isByHost(document) && options.hosts === undefined && underMpi()) {
          // Which runs these are follows from the document and from what all ranks tell each other first.
          const connection = await connectMpi(JSON.stringify([document, options.audit ?? 0]), options.timeout);
          const runs = runsOf(withHosts(document, await connection.hosts()));
          return work(runs, options, signal, connection);
        }
        const runs = runsOf(withHostsFile(document, options.hosts));
        if (elastic) return workElastic(runs, options, signal);
        return options.ranks === undefined ? work(runs, options, signal) : workTogether(runs, options, signal);
      }, farewell);
    });
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
