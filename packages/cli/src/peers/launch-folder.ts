/**
 * What launched peers need to start (the runs, hosts, a key made for this launch) and the socket through which they report
 * what they do, in a folder that only this user can enter. The folder goes with the launch, whatever ends it: its own end,
 * an error anywhere in this program, an interruption. The key goes as soon as all peers have read it, so that even a
 * launcher that is killed outright leaves no secret behind; the rest is then removed by the peers, as they end.
 */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { InputError } from "equitopo";
import { type PeerEvent, readEvent } from "equitopo/internal/peer";

/** The longest name of a local socket, in bytes, that every system takes (Linux 107, macOS 103). */
const longestName = 103;

export interface LaunchFolderOptions {
  readonly runs: number;
  readonly peers: number;
  readonly onEvent: (event: PeerEvent) => void;
  /** Where temporary folders are made: the first whose sockets have names that are short enough. */
  readonly places?: readonly string[];
}

export type LaunchFolder = ReturnType<typeof openLaunchFolder>;

export function openLaunchFolder({ runs, peers, onEvent, places = [tmpdir(), "/tmp"] }: LaunchFolderOptions) {
  const path = makeFolder(places);
  const socket = join(path, socketName);
  const open = new Set<net.Socket>();
  const heard: Promise<unknown>[] = [];
  const [children, secrets]: [ChildProcess[], string[]] = [[], []];
  const remove = () => {
    for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
    rmSync(path, { recursive: true, force: true });
  };
  process.once("exit", remove);
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for it hears of it.
  failed.catch(() => {});
  const server = net.createServer((connection) => {
    open.add(connection);
    connection.on("error", () => {});
    connection.once("close", () => open.delete(connection));
    const lines = createInterface({ input: connection });
    lines.on("line", (line) => {
      try {
        const event = readEvent(line, runs);
        if (event !== undefined) onEvent(event);
      } catch (error) {
        fail(error);
      }
    });
    heard.push(once(lines, "close"));
    if (heard.length === peers) for (const secret of secrets) rmSync(secret, { force: true });
  });
  server.on("error", fail);
  const file = (name: string, content: string) => {
    writeFileSync(join(path, name), content, { mode: 0o600 });
    return join(path, name);
  };
  return {
    path,
    socket,
    /** Rejects if a report of a peer could not be processed: a mistake of ours, which ends the launch. */
    failed,
    async listen(): Promise<void> {
      server.listen(socket);
      await Promise.race([once(server, "listening"), failed]);
    },
    file,
    /** A file that is removed once every peer has reported: each has read it by then. */
    secret(name: string, content: string): string {
      secrets.push(file(name, content));
      return join(path, name);
    },
    own(child: ChildProcess): ChildProcess {
      children.push(child);
      return child;
    },
    /** Until all reports have been processed. */
    async heard(): Promise<void> {
      await Promise.race([Promise.all(heard), failed]);
    },
    close(): void {
      process.off("exit", remove);
      for (const connection of open) connection.destroy();
      server.close();
      remove();
    },
  };
}

const [prefix, socketName] = ["equitopo-peers-", "report"];

/** Removes the folder that a launcher has left behind, if this is a launcher's socket. */
export function removeLeft(socket: string): void {
  const folder = dirname(socket);
  const isOurs = basename(folder).startsWith(prefix) && basename(socket) === socketName;
  if (isOurs) rmSync(folder, { recursive: true, force: true });
}

function makeFolder(places: readonly string[]): string {
  const fits = places.find((place) => Buffer.byteLength(join(place, `${prefix}XXXXXX`, socketName)) <= longestName);
  if (fits !== undefined) return mkdtempSync(join(fits, prefix));
  throw new InputError(
    `a launch needs a temporary folder with a path of at most ${longestName - prefix.length - 14} bytes`,
    places[0],
    "set TMPDIR to a shorter one",
  );
}
