/** One peer of a spec's runs in this program or thread, from its connection to its last words. */

import { once } from "node:events";
import net from "node:net";
import type { HistoryFile, PeerEvent } from "@equitopo/node/internal";
import { checkpointPath, encodeEvent, fileStore, historyFile, reportingPeer } from "@equitopo/node/internal";
import { type RunSpec, stateHash } from "equitopo";
import { ReplacedError, runTexts, TooFewError } from "equitopo/internal/peer";
import { textHash } from "equitopo/internal/run";
import { isStudio, openReporter, type Reporter } from "../../live/reporter.ts";
import { begin, liveEvent } from "../../live/reporting.ts";
import { type Connection, connect } from "../../peers/connect.ts";
import { faultWords, openFaultLog } from "../../peers/fault-log.ts";
import { removeLeft } from "../../peers/launch-folder.ts";
import { type PeerFolder, peerFolder, requireNoResults } from "../../peers/peer-folder.ts";
import { printPeer } from "../../peers/peer-summary.ts";
import { waitNotes } from "../../peers/wait-notes.ts";
import { workerWords } from "../../peers/worker-words.ts";
import { contextOf } from "../../run/context.ts";
import { note, printJson, requireWritable } from "../../terminal/output.ts";
import type { WorkerOptions } from "./options.ts";

/** Bytes on their way to the launcher. */
const busy = 2 ** 20;

/** One peer to its end, over a connection that is there already or is made. Answers the exit code. */
export async function work(
  runs: readonly RunSpec[],
  options: WorkerOptions,
  signal: AbortSignal,
  connection?: Connection,
): Promise<number> {
  const { timeout, startTimeout, overlap = false, audit, checkpoint: path, checkpointEvery: every } = options;
  const reporter = await studioFor(runs, options);
  for (const file of [path, options.log]) if (file !== undefined) requireWritable(file);
  if (options.out !== undefined && options.rank !== undefined) requireNoResults(options.out, options.rank);
  const { transport, leave, nameOf } = connection ?? (await connect(runs, options, contextOf(options)));
  const { rank } = transport;
  options.onRank?.(rank);
  const words = workerWords({ rank, runs, nameOf, ...(options.quiet || options.json ? { quiet: true } : {}) });
  const say = (text: string) => {
    words.done();
    note(text, options);
  };
  const log =
    options.log === undefined ? undefined : openFaultLog(checkpointPath(options.log, rank), say, options.logLevel);
  const alone = new AbortController();
  const { report } = options;
  const channel = report === undefined || isStudio(report) ? undefined : await openChannel(report, alone);
  const hashes: string[] = [];
  let folder: PeerFolder | undefined;
  let history: HistoryFile | undefined;
  try {
    history = options.history === undefined ? undefined : historyFile(options.history, transport.rank);
    const store = path === undefined ? undefined : fileStore(checkpointPath(path, transport.rank));
    const checkpoint = store && { store, every };
    const context = contextOf(options);
    folder = options.out === undefined ? undefined : peerFolder({ path: options.out, rank, runs, context });
    words.listens();
    const longWaits = waitNotes({ rank, nameOf, limit: startTimeout }, say);
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
        alone: options.aloneOk === true,
        signal: AbortSignal.any([signal, alone.signal]),
        onWait(peer) {
          longWaits(peer);
          words.waitsFor(peer);
        },
        onStart(start) {
          const { from, absent } = start;
          words.begins(start);
          if (from === "network" || options.aloneOk === true || absent.length < Math.max(1, transport.size - 1)) return;
          alone.abort(new MetNobody(absent.map(nameOf)));
        },
      },
      (event: PeerEvent) => {
        log?.note(event);
        const said = faultWords(event, options.logLevel);
        if (said !== undefined) say(said);
        words.event(event);
        if (event.kind === "record") {
          hashes[event.run] = stateHash(event.x);
          folder?.take(event);
        }
        // Signs of life that a busy launcher would only hear late are left out, or they would fill this peer's memory.
        if (event.kind !== "round" || (channel?.writableLength ?? 0) < busy) channel?.write(encodeEvent(event));
        const live = liveEvent(event);
        if (live !== undefined) reporter?.tell(live);
      },
    );
    words.done();
    const { exchanges, neverHeard, done, skipped, start } = summary;
    folder?.write({ done, skipped, exchanges, neverHeard, start });
    // The launcher judges by what all of them tell.
    if (channel !== undefined) return 0;
    const code = await printPeer(transport, summary, hashes, options);
    words.ends(folder?.path);
    return code;
  } catch (error) {
    words.done();
    // What was recorded until then.
    if (signal.aborted) folder?.write({ interrupted: true });
    if (!(error instanceof MetNobody || error instanceof ReplacedError || error instanceof TooFewError)) throw error;
    process.stderr.write(`peer ${rank}: ${error.message}\n`);
    if (options.json) await printJson({ rank, done: 0, complaints: [error.message] });
    return 1;
  } finally {
    // From here on it is this peer that goes.
    channel?.removeAllListeners("close").end();
    await leave();
    history?.close();
    await reporter?.close();
  }
}

/** Nobody came to the opening meeting: training alone is not what a peer is for. */
class MetNobody extends Error {
  constructor(names: readonly string[]) {
    const some = names.slice(0, 5).join(", ");
    super(
      `met nobody within --start-timeout: no word from ${some}${names.length > 5 ? ", ..." : ""} (equitopo doctor --hosts ` +
        `tries to reach them; --alone-ok trains alone)`,
    );
    this.name = "MetNobody";
  }
}

/** All peers of a network tell of one thing, so they call it by the same name: the hash of what they have in common. */
async function studioFor(runs: readonly RunSpec[], { report, audit }: WorkerOptions): Promise<Reporter | undefined> {
  if (report === undefined || !isStudio(report)) return undefined;
  const reporter = await openReporter(report, textHash(runTexts({ runs, audit }).join("\n")));
  reporter.tell(begin({ title: `${runs[0].topology.n} peers`, how: "peers" }, runs));
  return reporter;
}

/** Nobody would hear of a run whose launcher is gone: `alone` then ends it. */
async function openChannel(path: string, alone: AbortController): Promise<net.Socket> {
  const socket = net.connect(path);
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.once("close", () => {
    removeLeft(path);
    alone.abort(new Error("whoever launched this peer is gone"));
  });
  socket.resume();
  return socket;
}
