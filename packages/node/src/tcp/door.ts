/**
 * Strangers: connections that have not shown who they are. Each has an absolute deadline, counted from the moment that it
 * was accepted, before TLS begins; a trickle of bytes does not prolong it. There are never more than `limit`: when one
 * more comes, the oldest stranger of the address with the most strangers is sent away, so that a crowd of silent
 * connections cannot keep a peer out, and a crowd from one address harms only that address.
 */

import type { Socket } from "node:net";

export interface DoorOptions {
  readonly limit: number;
  /** Milliseconds that a connection has to show who it is. */
  readonly patience: number;
  readonly onRefused: (reason: string, address: string) => void;
}

export function openDoor({ limit, patience, onRefused }: DoorOptions) {
  /** By address and port, the oldest first: TLS has a socket of its own over the one that was accepted. */
  const strangers = new Map<string, { socket: Socket; address: string; timer: NodeJS.Timeout }>();
  /** All that was accepted and is not closed, strangers or not. */
  const accepted = new Set<Socket>();

  function forget(key: string): boolean {
    clearTimeout(strangers.get(key)?.timer);
    return strangers.delete(key);
  }

  function refuse(key: string, reason: string): void {
    const stranger = strangers.get(key);
    if (stranger === undefined) return;
    forget(key);
    onRefused(reason, stranger.address);
    stranger.socket.destroy();
  }

  function oldestOfTheMost(): string {
    const counts = new Map<string, number>();
    for (const { address } of strangers.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return [...strangers].find(([, { address }]) => counts.get(address) === most)?.[0] ?? "";
  }

  return {
    enter(socket: Socket): void {
      const [key, address] = [nameOf(socket), addressOf(socket)];
      socket.on("error", () => {});
      accepted.add(socket);
      const timer = setTimeout(() => refuse(key, "handshake"), patience);
      socket.once("close", () => {
        accepted.delete(socket);
        if (strangers.get(key)?.socket === socket) forget(key);
      });
      strangers.set(key, { socket, address, timer });
      if (strangers.size > limit) refuse(oldestOfTheMost(), "crowd");
    },

    /** This one, or the one under its TLS, has shown who it is. False where it is gone, or was sent away. */
    admit: (socket: Socket) => forget(nameOf(socket)),

    /** Ends everything that came in, so that nobody else's connection keeps this program from ending. */
    close(): void {
      for (const key of [...strangers.keys()]) forget(key);
      for (const socket of accepted) socket.destroy();
    },
  };
}

function nameOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

/** The address that it comes from, as long as the socket still knows it. */
export function addressOf(socket: Socket): string {
  return socket.remoteAddress ?? "a connection";
}

/** What may be wrong, and what to do, for the person who started both. */
export const remedies: Readonly<Record<string, string | undefined>> = {
  spec: "it has another spec, another --audit, or other plug-ins; give all peers the same",
  version: "it is of another version of equitopo; use one version for all peers",
  mode: "one of the two uses TLS or a key that the other does not; start all peers alike",
  key: "it has another key; give all peers the same",
  certificate: "another authority signed its TLS certificate; make all of them by one equitopo cluster init",
  name: "its TLS certificate is another peer's; check its --rank and --tls",
  rank: "it counts other peers, or has this peer's number; check its --rank and --hosts",
  incarnation: "a newer process has its number; end one of the two",
  address: "a living process has its number where the hosts file says; end one of the two, or change its line there",
};

/** The most lines in a log of refusals; one further line says that there were more. */
const mostRefusals = 256;

/**
 * Logs refusals, once for each kind and source: a stranger that tries again and again, or a peer whose every frame is wrong,
 * is counted each time and logged the first time. Memory is bounded. Every line begins with `who`, the peer that refuses.
 */
export function refusalLog(who: string, log: (line: string) => void): (reason: string, source: string) => void {
  const said = new Set<string>();
  return (reason, source) => {
    const line = `${who}: refused ${source}: ${reason}`;
    if (said.size > mostRefusals || said.has(line)) return;
    said.add(line);
    const remedy = Object.hasOwn(remedies, reason) ? ` (${remedies[reason]})` : "";
    log(said.size > mostRefusals ? `${who}: refused more; further refusals are counted, not logged` : line + remedy);
  };
}
