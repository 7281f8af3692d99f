/**
 * A room on the network: page, signalling and relay from one origin. What is decided is decided by Room (@equitopo/web);
 * here are its sockets and clocks. Peers need it to find each other, and never in a round, but for pairs that are relayed.
 */

import type { AddressInfo } from "node:net";
import {
  messageBytes,
  type Refusal,
  type Room,
  type RoomAction,
  readReport,
  readToRoom,
  type ToRoom,
} from "@equitopo/web/internal";
import { InputError } from "equitopo";
import type { PeerEvent } from "equitopo/peer";
import { WebSocket, WebSocketServer } from "ws";
import type { ServerTls } from "../server/address.ts";
import { closeServer, hostInUrl, impatientServer, isLoopback, joinTime, listening } from "../server/listen.ts";
import { admissionTo, allowance } from "./admission.ts";
import { pageOf, servePage } from "./page.ts";
import { ownPlaces } from "./reach.ts";

export interface RoomServerOptions {
  readonly room: Room;
  readonly size: number;
  /** Of the runs that members report of. */
  readonly runs: number;
  /** Pieces of reports that a seat may send at once; after that, a limited number every second. Default 2^20. */
  readonly reports?: number;
  /** The built page of a browser peer. */
  readonly page: Uint8Array;
  /** What the page says of the room before a seat is taken, readable with the room's key: base64url, as sealAbout makes it. */
  readonly about?: string;
  /** Default 127.0.0.1, and any free port. */
  readonly host?: string;
  readonly port?: number;
  /** TLS certificate and key (PEM); needed off this machine. */
  readonly tls?: ServerTls;
  /** Milliseconds that a seat is kept for one whose socket is lost. Default 5 s. */
  readonly grace?: number;
  /** False if the event cannot be of these runs: the seat is ended. */
  readonly onReport?: (event: PeerEvent) => boolean;
  readonly onChange?: () => void;
}

/** Milliseconds between two signs of life that are asked for. */
const lifeTime = 10_000;

/** Pieces of reports that a seat may say in a second, at least. */
const reportRate = 200;

/** Bytes that may wait for a member that does not read. */
const mostWaiting = 32 * 1024 * 1024;

interface Guest {
  readonly socket: WebSocket;
  /** The address that it speaks from. */
  readonly remote: string;
  readonly spend: ReturnType<typeof allowance>;
  alive: boolean;
  /** Nothing more is taken from it, whatever it still says before it is gone. */
  closing: boolean;
  /** While it is looked up where it listens. */
  asking: Promise<void> | undefined;
}

export type RoomServer = Awaited<ReturnType<typeof listenForRoom>>;

export const RoomServer = { listen: listenForRoom };

/** Opens it. Off this machine it needs a TLS certificate: browsers then ask for https, and others could listen in. */
async function listenForRoom(options: RoomServerOptions) {
  const { room, size, runs, host = "127.0.0.1", port: wanted = 0, tls, grace = 5000, onReport, onChange } = options;
  if (tls === undefined && !isLoopback(host)) {
    throw new InputError(
      "off this machine a room needs TLS: without it anybody on the way could change the page and take a seat",
      host,
      "add --tls DIR (equitopo cluster init makes TLS certificates), or leave --host out",
    );
  }
  const scheme = tls === undefined ? "http" : "https";
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  const guests = new Map<number, Guest>();
  // Counted for the seat, not the member: a member that was sent away and comes back does not begin anew.
  const { reports = 2 ** 20 } = options;
  const spendReport = Array.from({ length: size }, () => {
    return allowance(reports, Math.max(reportRate, reports / 1000), performance.now());
  });
  const timers = new Set<NodeJS.Timeout>();
  let admission: ReturnType<typeof admissionTo> | undefined;
  let next = 0;
  const page = pageOf(options.page, options.about);
  const server = impatientServer(tls, (request, response) => {
    if (admission?.meant(request)) servePage(page, request, response);
    else response.writeHead(421, { "Content-Type": "text/plain" }).end("this name is not this server's\n");
  });
  server.maxConnections = 16 * size + 256;
  server.on("upgrade", (request, socket, head) => {
    const refusal = request.url === "/signal" ? admission?.refusal(request) : "path";
    if (refusal === undefined) {
      const leave = admission?.enter(request);
      socket.once("close", () => leave?.());
      const remote = request.socket.remoteAddress ?? "";
      sockets.handleUpgrade(request, socket, head, (opened) => greet(opened, remote));
    } else {
      socket.on("error", () => {});
      socket.end(`HTTP/1.1 ${refusal === "crowd" ? "503 Service Unavailable" : "403 Forbidden"}\r\n\r\n`);
    }
  });
  await listening(server, { host, port: wanted }, "the room must be able to listen", "free the port, or use --port");
  // A connection that could not be taken (no more files) is nobody's end but its own.
  server.on("error", () => {});
  const { port } = server.address() as AddressInfo;
  admission = admissionTo(isLoopback(host) ? [host, "127.0.0.1", "localhost", "::1"] : [host], port, scheme, size);
  timers.add(setInterval(askForLife, lifeTime));

  function greet(socket: WebSocket, remote: string): void {
    const id = next++;
    const spend = allowance(200 + 64 * size, 20 + 8 * size, performance.now());
    const guest: Guest = { socket, spend, remote, alive: true, closing: false, asking: undefined };
    guests.set(id, guest);
    after(joinTime, () => {
      if (room.rankOf(id) === undefined) end(id, "malformed");
    });
    socket.on("error", () => {});
    socket.on("pong", () => {
      guest.alive = true;
    });
    socket.on("close", () => {
      guests.delete(id);
      act(room.closed(id));
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (guest.closing) return;
      guest.alive = true;
      if (isBinary) relay(id, data);
      else hear(id, guest, data.toString("utf8"));
    });
  }

  function hear(id: number, guest: Guest, text: string): void {
    if (guest.closing) return;
    if (guest.asking !== undefined) {
      void guest.asking.then(() => hear(id, guest, text));
      return;
    }
    const message = readToRoom(text);
    const rank = message?.kind === "report" ? room.rankOf(id) : undefined;
    const spend = rank === undefined ? guest.spend : spendReport[rank];
    if (!spend(performance.now())) end(id, "crowd");
    else if (message?.kind === "announce") announce(id, guest, message);
    else act(room.heard(id, message), id);
  }

  /** Others are given only places that are the member's own. While they are looked up, its further messages wait unread. */
  function announce(id: number, guest: Guest, message: ToRoom & { kind: "announce" }): void {
    const say = (listening: typeof message.listening) => act(room.heard(id, { ...message, listening }), id);
    const own = ownPlaces(message.listening, guest.remote);
    if (!(own instanceof Promise)) {
      say(own);
      return;
    }
    guest.socket.pause();
    guest.asking = own.then((listening) => {
      guest.asking = undefined;
      guest.socket.resume();
      if (!guest.closing) say(listening);
    });
  }

  function relay(id: number, data: Buffer): void {
    const target = room.relay(id, data);
    if (room.rankOf(id) === undefined) end(id, "malformed");
    else if (target !== undefined) send(target, data);
  }

  /** A member that does not read is cut off, so that nothing piles up for it. */
  function send(id: number, data: string | Buffer): void {
    const { socket, closing } = guests.get(id) ?? {};
    if (socket === undefined || closing) return;
    if (socket.bufferedAmount > mostWaiting) end(id, "crowd");
    else socket.send(data);
  }

  /** `from`: the socket whose message it was, if it was one. */
  function act(actions: readonly RoomAction[], from = -1): void {
    for (const action of actions) {
      switch (action.kind) {
        case "send":
          send(action.socket, JSON.stringify(action.message));
          break;
        case "close":
          end(action.socket, action.reason);
          break;
        case "away":
          after(grace, () => act(room.lapse(action.rank, action.epoch)));
          break;
        case "report": {
          const event = readReport(action.text, action.rank, runs);
          if (event === undefined || onReport?.(event) === false) end(from, "malformed");
          break;
        }
      }
    }
    if (actions.some(({ kind }) => kind === "change")) onChange?.();
  }

  function end(id: number, reason: Refusal): void {
    const guest = guests.get(id);
    if (guest === undefined || guest.closing) return;
    guest.closing = true;
    guest.socket.close(1008, reason);
    // One who does not answer the closing is cut off.
    after(1000, () => guest.socket.terminate());
  }

  function askForLife(): void {
    for (const guest of guests.values()) {
      if (!guest.alive) guest.socket.terminate();
      guest.alive = false;
      if (guest.socket.readyState === WebSocket.OPEN) guest.socket.ping();
    }
  }

  function after(milliseconds: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, milliseconds);
    timers.add(timer);
  }

  /** Breaks all lines, as a network would; members dial again. */
  function cut(): void {
    for (const { socket } of guests.values()) socket.terminate();
  }

  return {
    ...{ port, cut },

    /** Where it is found. */
    origin: `${scheme}://${hostInUrl(host)}:${port}`,

    /** Ends it: nobody gets a seat from now on, and those who sit go on without it. */
    async close(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      cut();
      sockets.close();
      await closeServer(server);
    },
  };
}
