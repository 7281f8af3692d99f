/** `equitopo worker --join`: a Node peer that takes a seat in a room by its link, and gets the runs from it. */

import { isAbsolute, join, normalize, sep } from "node:path";
import type { JoinOptions, NodeMember } from "@equitopo/node/internal";
import { checkpointPath, fileStore, folderFiles, joinRoom, reportingPeer } from "@equitopo/node/internal";
import { type MemberView, parseInvite, RoomRefused, ServerGone } from "@equitopo/web";
import { InputError, type ProblemContext, stateHash } from "equitopo";
import { defined } from "equitopo/internal/input";
import { note } from "../../terminal/output.ts";
import { type Progress, progressOf } from "../../terminal/progress.ts";
import "../../input/problems.ts";
import { firstLine } from "../../input/file.ts";
import { faultWords, openFaultLog } from "../../peers/fault-log.ts";
import { parseAddress } from "../../peers/hosts.ts";
import { peerFolder } from "../../peers/peer-folder.ts";
import { printPeer } from "../../peers/peer-summary.ts";
import { readAuthority, readPair } from "../../peers/secrets.ts";
import { waitNotes } from "../../peers/wait-notes.ts";
import type { WorkerOptions } from "./options.ts";

/** `join` is the link, or - where it is the first line of stdin; `data` the folder with this peer's own data. */
export type JoinWorkerOptions = WorkerOptions & { readonly join: string };

/** Takes a seat, does the runs, tells the room what came of them, and leaves. Answers the exit code. */
export async function workInRoom(options: JoinWorkerOptions, signal: AbortSignal): Promise<number> {
  const invite = parseInvite(options.join === "-" ? await firstLine("--join") : options.join);
  const progress = progressOf(options);
  const rtc = await dataChannels(options);
  const replaced = new AbortController();
  const joined = await seated({
    ...{ invite, ...listening(options), ...(rtc === undefined ? {} : { rtc }) },
    onChange: (view) => show(progress, view),
    onRefused: (error) => {
      // Two peers of one number would confuse the others.
      if (error.reason === "taken" || error.reason === "replaced") replaced.abort(error);
      else note(`${error.message}; training goes on without the room`, options);
    },
    log: (line) => note(line, options),
    context: contextFor(options),
  });
  try {
    return await working(joined, options, AbortSignal.any([signal, replaced.signal]), progress);
  } finally {
    progress.done();
    await joined.leave();
    if (rtc !== undefined) (await import("@equitopo/rtc")).closeRtc();
  }
}

async function working(
  { member, transport, connect }: NodeMember,
  options: JoinWorkerOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<number> {
  const { checkpoint: path, checkpointEvery: every, startTimeout } = options;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  await refusals(Promise.race([connect(), aborted]));
  progress.done();
  const { runs, timeout, rank } = member;
  options.onRank?.(rank);
  const hashes: string[] = [];
  const checkpoint = path === undefined ? undefined : { store: fileStore(checkpointPath(path, rank)), every };
  const say = (text: string) => note(text, options);
  const folder =
    options.out === undefined ? undefined : peerFolder({ path: options.out, rank, runs, context: contextFor(options) });
  const log =
    options.log === undefined ? undefined : openFaultLog(checkpointPath(options.log, rank), say, options.logLevel);
  const summary = await reportingPeer(
    {
      ...{ transport, runs, context: contextFor(options), timeout, startTimeout, checkpoint, signal },
      onWait: waitNotes({ rank, nameOf: (peer) => `seat ${peer}`, limit: startTimeout }, say),
    },
    (event) => {
      log?.note(event);
      const said = faultWords(event, options.logLevel);
      if (said !== undefined) say(said);
      if (event.kind === "record") {
        hashes[event.run] = stateHash(event.x);
        folder?.take(event);
      }
      member.report(event);
    },
  );
  folder?.write({ done: summary.done, skipped: summary.skipped, exchanges: summary.exchanges });
  if (folder !== undefined) say(`model and metrics are in ${folder.path}`);
  const links = Object.fromEntries([...member.view.pairs].map(([peer, kind]) => [peer, kind]));
  return await printPeer(transport, summary, hashes, options, { links, carried: transport.carried });
}

/** Files inside of --data alone: it is the room that names them, and it may name any. */
export function contextFor({ data }: Pick<JoinWorkerOptions, "data">): ProblemContext {
  if (data === undefined) return {};
  const files = folderFiles(undefined);
  const inside = (name: string) => !isAbsolute(name) && normalize(name).split(sep)[0] !== "..";
  return {
    files: {
      place: data,
      has: (name) => inside(name) && files.has(join(data, name)),
      read(name) {
        if (inside(name)) return files.read(join(data, name));
        throw new InputError("a room's files are in --data DIR", name, "do not take part in this room");
      },
    },
  };
}

const seated = (options: JoinOptions): Promise<NodeMember> => refusals(joinRoom(options));

/** What a room refuses is a matter of what was handed in: the link. */
async function refusals<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RoomRefused)
      throw new InputError("the room must take this peer", error.message, "ask its host");
    if (error instanceof ServerGone) {
      // The words of the error are for a page, and say the remedy themselves.
      const rule = "the room's server must be there until every seat is taken";
      throw new InputError(rule, "no answer", "ask its host for a new link");
    }
    throw error;
  }
}

/** WebRTC where it is installed; a peer that has none is still reached by WebSocket, TCP and the relay. */
async function dataChannels(options: JoinWorkerOptions): Promise<JoinOptions["rtc"]> {
  try {
    const { loadRtc, nodeRtc } = await import("@equitopo/rtc/internal");
    await loadRtc();
    return () => nodeRtc();
  } catch (error) {
    note(`no WebRTC: ${(error as Error).message}`, options);
    return undefined;
  }
}

/** Where others reach this peer, and whom it trusts. */
function listening({ listen, tls }: JoinWorkerOptions): Pick<JoinOptions, "host" | "tls" | "ca"> {
  const host = listen === undefined ? undefined : parseAddress(listen, "--listen").host;
  return defined({
    host,
    ca: tls === undefined ? undefined : readAuthority(tls),
    tls: tls === undefined || host === undefined ? undefined : readPair(tls, host),
  });
}

function show(progress: Progress, { pairs, here, server }: MemberView): void {
  progress.step(() => {
    const linked = [...pairs.values()].filter((kind) => !["absent", "connecting", "failed"].includes(kind)).length;
    const gone = server === "gone" ? ", without a server" : "";
    return `linked with ${linked} of ${pairs.size}; ${here.length} others are here${gone}`;
  });
}
