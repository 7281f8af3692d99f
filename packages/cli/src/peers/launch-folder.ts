/**
 * What launched peers need to start (the runs, hosts, a key made for this launch) and the socket through which they tell
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
import { type PeerEvent, readEvent } from "equitopo/peer";

/** The longest name of a local socket, in bytes, that every system takes (Linux 107, macOS 103). */
const longestName = 103;

export interface LaunchFolderOptions {
  readonly runs: number;
  readonly peers: number;
  readonly onEvent: (event: PeerEvent) => void;
  /** Where temporary folders are made: the first whose sockets have names that are short enough. */
  readonly places?: readonly string[];
}

export class LaunchFolder {
  readonly path: string;
  /** Rejects where what a peer told could not be taken in: a mistake of ours, which ends the launch. */
  readonly failed: Promise<never>;
  readonly #options: LaunchFolderOptions;
  readonly #server: net.Server;
  readonly #open = new Set<net.Socket>();
  readonly #heard: Promise<unknown>[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #secrets: string[] = [];
  readonly #atExit = () => this.#remove();
  #fail: (error: unknown) => void = () => {};

  constructor(options: LaunchFolderOptions) {
    this.#options = options;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever waits for it hears of it.
    this.failed.catch(() => {});
    this.path = makeFolder(options.places ?? [tmpdir(), "/tmp"]);
    process.once("exit", this.#atExit);
    this.#server = net.createServer((connection) => this.#greet(connection));
    this.#server.on("error", (error) => this.#fail(error));
  }

  get socket(): string {
    return join(this.path, socketName);
  }

  async listen(): Promise<void> {
    this.#server.listen(this.socket);
    await Promise.race([once(this.#server, "listening"), this.failed]);
  }

  file(name: string, content: string): string {
    const path = join(this.path, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  /** A file that is removed once every peer has reported: each has read it by then. */
  secret(name: string, content: string): string {
    const path = this.file(name, content);
    this.#secrets.push(path);
    return path;
  }

  /** Children end with the folder. */
  own(child: ChildProcess): ChildProcess {
    this.#children.push(child);
    return child;
  }

  #greet(connection: net.Socket): void {
    this.#open.add(connection);
    connection.on("error", () => {});
    connection.once("close", () => this.#open.delete(connection));
    const lines = createInterface({ input: connection });
    lines.on("line", (line) => {
      try {
        const event = readEvent(line, this.#options.runs);
        if (event !== undefined) this.#options.onEvent(event);
      } catch (error) {
        this.#fail(error);
      }
    });
    this.#heard.push(once(lines, "close"));
    if (this.#heard.length === this.#options.peers) for (const path of this.#secrets) rmSync(path, { force: true });
  }

  /** Until all that was told has been taken in. */
  async heard(): Promise<void> {
    await Promise.race([Promise.all(this.#heard), this.failed]);
  }

  close(): void {
    process.off("exit", this.#atExit);
    for (const connection of this.#open) connection.destroy();
    this.#server.close();
    this.#remove();
  }

  #remove(): void {
    for (const child of this.#children) if (child.exitCode === null) child.kill("SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
  }
}

const [prefix, socketName] = ["equitopo-peers-", "report"];

/** Removes what a launcher that is gone has left behind, where that socket is one of its. */
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
