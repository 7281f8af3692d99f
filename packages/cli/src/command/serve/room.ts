/**
 * Peers in a room: those who open the invite link, and the Node peers that are started here to fill seats. They find each
 * other through the room's server and report their results to it; the runs themselves do without it.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type LaunchOptions, RoomServer, type TransportFamily } from "@equitopo/node";
import {
  encodeRuns,
  inviteLink,
  keyBytes,
  pieceLength,
  Room,
  reportLengthFor,
  roomBytes,
  roomProof,
  type SeatView,
  sealAbout,
} from "@equitopo/web/internal";
import { createProblem, type RunSpec } from "equitopo";
import { toBase64url } from "equitopo/number";
import { dataIsElsewhere } from "../../peers/portable.ts";
import { showBytes } from "../../terminal/numbers.ts";

export interface RoomTransportOptions {
  /** Seats that Node peers of this machine take. */
  readonly fill: number;
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly folder: string; readonly cert: Buffer; readonly key: Buffer };
  /** The page of a browser peer. */
  readonly page: Buffer;
  readonly title: string;
  readonly description?: string | undefined;
  readonly onInvite: (link: string) => void;
  /** All are linked: from here on the runs go on without this program. */
  readonly onBegin: () => void;
}

const bin = fileURLToPath(new URL("../../../bin/equitopo.js", import.meta.url));

/** Milliseconds for started peers to end by themselves. */
const farewell = 3000;

/** The transport of `equitopo serve`. */
export function roomTransport(options: RoomTransportOptions): TransportFamily {
  return {
    name: "room",
    summary: "peers are those who open the invite link",
    apart: true,
    options: {},
    launch: (launch) => launchRoom(launch, options),
  };
}

async function launchRoom(launch: LaunchOptions, options: RoomTransportOptions): Promise<void> {
  const { runs, n, timeout, signal, onEvent, onNote } = launch;
  const key = new Uint8Array(randomBytes(keyBytes));
  const name = toBase64url(randomBytes(roomBytes));
  const reportLength = Math.max(...runs.map((run) => reportLengthFor(dimensionOf(run))));
  const pieces = Math.ceil(reportLength / pieceLength);
  const room = new Room({
    ...{ room: name, proof: roomProof(key), size: n, runs: encodeRuns(runs), timeout, reportLength },
    secret: () => toBase64url(randomBytes(24)),
  });
  const watch = seatWatch(launch, room, options.onBegin);
  const { host, port, page, tls, title, description } = options;
  const server = await RoomServer.listen({
    about: sealAbout(key, JSON.stringify({ title, description, seats: n, runs: runs.length, ...amountOf(runs) })),
    ...{ room, size: n, runs: runs.length, page, host, port, ...(tls === undefined ? {} : { tls }) },
    // Twice what a seat has to report, since its member may be another one from the middle on.
    reports: 2 * pieces * runs.reduce((sum, { rounds }) => sum + rounds + 1, 500),
    onReport(event) {
      const sound = onEvent(event);
      if (event.kind === "end") watch.ended(event.rank);
      return sound;
    },
    onChange: () => watch.look(),
  });
  const children: ChildProcess[] = [];
  const abort = () => watch.fail(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const link = inviteLink({ origin: server.origin, room: name, key });
    options.onInvite(link);
    for (let k = 0; k < options.fill; k++) children.push(startPeer(link, options, (error) => watch.fail(error)));
    if (signal.aborted) abort();
    await watch.over;
    for (const { pair, messages, bytes } of room.relayed) {
      onNote(`relayed for the pair ${pair.join(", ")}: ${messages} messages, ${showBytes(bytes)}`);
    }
    await Promise.race([
      Promise.all(children.map(async (child) => child.exitCode ?? (await once(child, "exit")))),
      new Promise((resolve) => setTimeout(resolve, farewell)),
    ]);
  } finally {
    signal.removeEventListener("abort", abort);
    for (const child of children) child.kill("SIGKILL");
    await server.close();
  }
}

/** A Node peer of this machine; the link goes through a pipe, for words of a command can be read by every user. */
function startPeer(link: string, { tls, host }: RoomTransportOptions, fail: (error: Error) => void): ChildProcess {
  // With a TLS certificate browsers elsewhere reach it, too.
  const reach = tls === undefined ? [] : ["--tls", tls.folder, "--listen", host.includes(":") ? `[${host}]` : host];
  const words = ["worker", "--join", "-", "--quiet", ...reach];
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (text) => {
    said = (said + text).slice(-2000);
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(`${link}\n`);
  // A peer that dies is a fault to report, like any; one that cannot even begin is a mistake of ours.
  child.once("exit", (code) => {
    if (code === 2) fail(new Error(`a peer that was started here ended: ${said.trim()}`));
  });
  return child;
}

/** Updates of all runs, and the bytes of their largest model. */
function amountOf(runs: readonly RunSpec[]) {
  const bytes = runs.map((run) => dimensionOf(run) * (run.type === "float64" ? 8 : 4));
  return { updates: runs.reduce((sum, { rounds }) => sum + rounds, 0), bytes: Math.max(...bytes) };
}

function dimensionOf(run: RunSpec): number {
  const problem = createProblem(run.problem, { first: 0, count: dataIsElsewhere(run) ? 0 : 1 });
  problem.close?.();
  return problem.d;
}

/** Reports who sits where as it changes, and knows when all is over: every seat has ended, or nobody sits there any more. */
function seatWatch({ onNote, onGone, n }: LaunchOptions, room: Room, onBegin: () => void) {
  const ended = new Set<number>();
  let [settle, fail] = [() => {}, (_error: unknown) => {}];
  const over = new Promise<void>((resolve, reject) => {
    [settle, fail] = [resolve, reject];
  });
  // Whoever waits for it hears of it.
  over.catch(() => {});
  let seats: readonly SeatView[] = room.seats;
  let started = false;
  const look = () => {
    const before = seats;
    seats = room.seats;
    for (const { rank, epoch, state, runtime } of seats) {
      const was = before[rank];
      if (epoch !== was.epoch) {
        const taken = seats.filter((one) => one.state !== "free").length;
        onNote(`seat ${rank}: ${runtime === "node" ? "a Node peer" : "a browser"} (${taken} of ${n} taken)`);
      } else if (state === "free" && was.state !== "free" && !ended.has(rank)) {
        onNote(`seat ${rank} is free: the link takes it over`);
        onGone(rank);
      }
    }
    if (room.started && !started) {
      started = true;
      onBegin();
      onNote(`all ${n} are linked: the runs begin, and this server is no longer needed for them`);
    }
    if (!started || !seats.every(({ rank, state }) => ended.has(rank) || state === "free")) return;
    if (ended.size > 0) settle();
    else fail(new Error("everybody left before the end of the runs"));
  };
  return {
    over,
    fail,
    look,
    ended(rank: number): void {
      ended.add(rank);
      look();
    },
  };
}
