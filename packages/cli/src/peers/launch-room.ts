/**
 * Peers in a room: whoever opens the invite link, and the Node peers that are started here to fill seats. They find each
 * other through the room's server and tell it what they ended up with; the runs themselves do without it.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type LaunchOptions, RoomServer, type TransportMember } from "@equitopo/node";
import {
  encodeRuns,
  inviteLink,
  keyBytes,
  Room,
  reportLengthFor,
  roomBytes,
  roomProof,
  type SeatView,
} from "@equitopo/web";
import { createProblem, type RunSpec } from "equitopo";
import { toBase64url } from "equitopo/number";
import { showBytes } from "../numbers.ts";
import { dataIsElsewhere } from "./portable.ts";

export interface RoomTransportOptions {
  /** Seats that Node peers of this machine take. */
  readonly fill: number;
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly folder: string; readonly cert: Buffer; readonly key: Buffer };
  /** The page of a browser peer. */
  readonly page: Buffer;
  readonly onInvite: (link: string) => void;
}

const bin = fileURLToPath(new URL("../../bin/equitopo.js", import.meta.url));

/** Milliseconds for started peers to end by themselves. */
const farewell = 3000;

/** The transport of `equitopo serve`. */
export function roomTransport(options: RoomTransportOptions): TransportMember {
  return {
    name: "room",
    summary: "peers are whoever opens the invite link",
    apart: true,
    options: {},
    launch: (launch) => launchRoom(launch, options),
  };
}

async function launchRoom(launch: LaunchOptions, options: RoomTransportOptions): Promise<void> {
  const { runs, n, timeout, signal, onEvent, onNote } = launch;
  const key = new Uint8Array(randomBytes(keyBytes));
  const name = toBase64url(randomBytes(roomBytes));
  const room = new Room({
    ...{ room: name, proof: roomProof(key), size: n, runs: encodeRuns(runs), timeout },
    reportLength: Math.max(...runs.map(reportLength)),
    secret: () => toBase64url(randomBytes(24)),
  });
  const watch = new SeatWatch(launch, room);
  const { host, port, page, tls } = options;
  const server = await RoomServer.listen({
    ...{ room, size: n, runs: runs.length, page, host, port, ...(tls === undefined ? {} : { tls }) },
    onReport(event) {
      onEvent(event);
      if (event.kind === "end") watch.ended(event.rank);
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

function reportLength(run: RunSpec): number {
  const problem = createProblem(run.problem, { first: 0, count: dataIsElsewhere(run) ? 0 : 1 });
  problem.close?.();
  return reportLengthFor(problem.d);
}

/** Who sits where, told as it changes; and when it is all over: every seat has ended, or nobody sits there any more. */
class SeatWatch {
  readonly #launch: LaunchOptions;
  readonly #room: Room;
  readonly #ended = new Set<number>();
  readonly over: Promise<void>;
  #settle: () => void = () => {};
  fail: (error: unknown) => void = () => {};
  #seats: readonly SeatView[];
  #started = false;

  constructor(launch: LaunchOptions, room: Room) {
    this.#launch = launch;
    this.#room = room;
    this.#seats = room.seats;
    this.over = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.fail = reject;
    });
    // Whoever waits for it hears of it.
    this.over.catch(() => {});
  }

  ended(rank: number): void {
    this.#ended.add(rank);
    this.look();
  }

  look(): void {
    const { onNote, onGone, n } = this.#launch;
    const before = this.#seats;
    this.#seats = this.#room.seats;
    for (const seat of this.#seats) {
      const { rank, epoch, state } = seat;
      const was = before[rank];
      if (epoch !== was.epoch) {
        const taken = this.#seats.filter((one) => one.state !== "free").length;
        onNote(`seat ${rank}: ${seat.runtime === "node" ? "a Node peer" : "a browser"} (${taken} of ${n} taken)`);
      } else if (state === "free" && was.state !== "free" && !this.#ended.has(rank)) {
        onNote(`seat ${rank} is free: the link takes it over`);
        onGone(rank);
      }
    }
    if (this.#room.started && !this.#started) {
      this.#started = true;
      onNote(`all ${n} are linked: the runs begin, and this server is no longer needed for them`);
    }
    this.#conclude();
  }

  #conclude(): void {
    if (!this.#started || !this.#seats.every(({ rank, state }) => this.#ended.has(rank) || state === "free")) return;
    if (this.#ended.size > 0) this.#settle();
    else this.fail(new Error("everybody left before the end of the runs"));
  }
}
