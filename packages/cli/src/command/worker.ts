/** `equitopo worker`: one peer of a spec's runs, on one of many machines. */

import net from "node:net";
import {
  checkpointPath,
  encodeEvent,
  fileStore,
  type HistoryFile,
  historyFile,
  type PeerEvent,
  reportingPeer,
} from "@equitopo/node";
import { handedRuns } from "@equitopo/web";
import type { Command } from "commander";
import { expandSpec, InputError, type RunSpec, stateHash } from "equitopo";
import { defaultTimeout, runTexts } from "equitopo/peer";
import { textHash } from "equitopo/run";
import { betweenOption, integerOption, listOption } from "../arguments.ts";
import { type ConnectOptions, connect } from "../peers/connect.ts";
import { workInRoom } from "../peers/join-room.ts";
import { printPeer } from "../peers/peer-summary.ts";
import { contextOf } from "../run/context.ts";
import { requireNames } from "../run/here.ts";
import { untilInterrupted } from "../run/interrupt.ts";
import type { CommonOptions } from "../session.ts";
import { readSpecFile } from "../spec-file.ts";
import { isStudio, openReporter, type Reporter } from "../studio/reporter.ts";
import { begin, liveEvent } from "../studio/reporting.ts";

interface Options extends CommonOptions, ConnectOptions {
  readonly join?: string;
  readonly checkpoint?: string;
  readonly checkpointEvery?: number;
  readonly overlap?: true;
  readonly only?: readonly number[];
  readonly drop?: number;
  readonly data?: string;
  readonly report?: string;
  readonly history?: string;
}

export function define(command: Command): void {
  command
    .argument("[spec]", "the spec that all peers have (see docs/spec.md); a room tells it")
    .option("--join <LINK>", "take a seat in a room by its invite link (equitopo serve); - reads it from stdin")
    .option("--rank <R>", "this peer's number, from 0 (under mpirun: MPI's rank)", integerOption("rank", 0, 3))
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
    .option("--drop <P>", "lose this share of the messages on purpose", betweenOption("drop", 0, 1, 0.05))
    .option("--overlap", "send while the gradient is computed (combine-then-adapt only)")
    .option("--audit <K>", "repair gradient tracking every K iterations", integerOption("audit", 2, 100))
    .option("--history <FILE>", "write down what is applied (%r: the rank), for equitopo verify --history")
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

Examples:
  equitopo worker spec.yaml --rank 3 --hosts cluster/hosts.txt --tls cluster
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --checkpoint peer-3.ckpt --timeout 2000
  equitopo worker spec.yaml --rank 3 --hosts hosts.txt --key key --report 'http://node-0:4263/#token=...'
  mpirun -n 17 equitopo worker spec.yaml --checkpoint peer-%r.ckpt
  equitopo worker --join 'https://node-0:8117/join#room=...&key=...'
`,
    )
    .action(async (file: string | undefined, options: Options) => {
      const farewell =
        options.checkpoint === undefined
          ? "interrupted"
          : `interrupted; ${options.checkpoint} holds the last checkpoint`;
      const { join: link } = options;
      if (link !== undefined) {
        requireAlone(file, options);
        await untilInterrupted((signal) => workInRoom({ ...options, join: link }, signal), farewell);
        return;
      }
      if (file === undefined) {
        throw new InputError("a worker needs the spec", "none", "name it, or join a room with --join LINK");
      }
      const document = await readSpecFile(file);
      requireNames(document, "a worker");
      const all = handedRuns(document) ?? expandSpec(document, contextFor(options));
      const runs = withDrop(chosenRuns(all, options.only), options.drop);
      await untilInterrupted((signal) => work(runs, options, signal), farewell);
    });
}

/** A room says all that these say otherwise. */
function requireAlone(file: string | undefined, options: Options): void {
  const words = ["rank", "hosts", "key", "insecure", "drop", "overlap", "audit", "only", "report"] as const;
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

const contextFor = ({ data }: Options) => contextOf(data === undefined ? {} : { data });

async function work(runs: readonly RunSpec[], options: Options, signal: AbortSignal): Promise<void> {
  const { timeout, startTimeout, overlap = false, audit, checkpoint: path, checkpointEvery: every } = options;
  const reporter = await studioFor(runs, options);
  const { transport, leave } = await connect(runs, options, contextFor(options));
  const alone = new AbortController();
  const { report } = options;
  const channel = report === undefined || isStudio(report) ? undefined : await openChannel(report, alone);
  const hashes: string[] = [];
  let history: HistoryFile | undefined;
  try {
    history = options.history === undefined ? undefined : historyFile(options.history, transport.rank);
    const store = path === undefined ? undefined : fileStore(checkpointPath(path, transport.rank));
    const checkpoint = store && { store, every };
    const context = contextFor(options);
    const summary = await reportingPeer(
      {
        transport,
        runs,
        context,
        timeout,
        startTimeout,
        overlap,
        audit,
        checkpoint,
        history: history?.write,
        signal: AbortSignal.any([signal, alone.signal]),
      },
      (event: PeerEvent) => {
        if (event.kind === "record") hashes[event.run] = stateHash(event.x);
        channel?.write(encodeEvent(event));
        reporter?.tell(liveEvent(event));
      },
    );
    if (channel !== undefined) return;
    await printPeer(transport, summary, hashes, options);
  } finally {
    channel?.end();
    await leave();
    history?.close();
    await reporter?.close();
  }
}

/** All peers of a network tell of one thing, so they call it by the same name: the hash of what they have in common. */
async function studioFor(runs: readonly RunSpec[], { report, audit }: Options): Promise<Reporter | undefined> {
  if (report === undefined || !isStudio(report)) return undefined;
  const reporter = await openReporter(report, textHash(runTexts({ runs, audit }).join("\n")));
  reporter.tell(begin({ title: `${runs[0].topology.n} peers`, how: "peers" }, runs));
  return reporter;
}

/** Nobody would hear of a run whose launcher is gone: `alone` then ends it. */
async function openChannel(path: string, alone: AbortController): Promise<net.Socket> {
  const socket = net.connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => {});
  socket.once("close", () => alone.abort(new Error("whoever launched this peer is gone")));
  socket.resume();
  return socket;
}
