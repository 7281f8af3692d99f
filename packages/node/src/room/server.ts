/**
 * A room on the network: page, signalling and relay from one origin. What is decided is decided by Room (@equitopo/web);
 * here are its sockets and clocks. Peers need it to find each other, and never in a round, but for pairs that are relayed.
 */

import type http from "node:http";
import type https from "node:https";
import type { AddressInfo } from "node:net";
import { messageBytes, type Refusal, type Room, type RoomAction, readReport, readToRoom } from "@equitopo/web";
import { InputError } from "equitopo";
import type { PeerEvent } from "equitopo/peer";
import { WebSocket, WebSocketServer } from "ws";
import { impatientServer, joinTime } from "../peer/deadlines.ts";
import { isLoopback } from "../peer/inlet.ts";
import { Admission, Allowance } from "./admission.ts";
import { pageOf, servePage } from "./page.ts";

export interface RoomServerOptions {
  readonly room: Room;
  readonly size: number;
  /** Of the runs that members report of. */
  readonly runs: number;
  /** The built page of a browser peer. */
  readonly page: Buffer;
  /** Default 127.0.0.1, and any free port. */
  readonly host?: string;
  readonly port?: number;
  /** TLS certificate and key (PEM); needed off this machine. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Milliseconds that a seat is kept for one whose socket is lost. Default 5 s. */
  readonly grace?: number;
  readonly onReport?: (event: PeerEvent) => void;
  readonly onChange?: () => void;
}

/** Milliseconds between two signs of life that are asked for. */
const lifeTime = 10_000;

/** Bytes that may wait for a member that does not read. */
const mostWaiting = 32 * 1024 * 1024;

interface Guest {
  readonly socket: WebSocket;
  readonly allowance: Allowance;
  alive: boolean;
  /** Nothing more is taken from it, whatever it still says before it is gone. */
  closing: boolean;
}

export class RoomServer {
  readonly #options: RoomServerOptions;
  readonly #server: http.Server | https.Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  readonly #guests = new Map<number, Guest>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #admission: Admission | undefined;
  #next = 0;

  /** Opens it. Off this machine it needs a TLS certificate: browsers then ask for https, and others could listen in. */
  static async listen(options: RoomServerOptions): Promise<RoomServer> {
    const { host = "127.0.0.1", port = 0, tls } = options;
    if (tls === undefined && !isLoopback(host)) {
      throw new InputError(
        "off this machine a room needs TLS: without it anybody on the way could change the page and take a seat",
        host,
        "add --tls DIR (equitopo cluster init makes TLS certificates), or leave --host out",
      );
    }
    const server = new RoomServer(options);
    await server.#listen(host, port);
    return server;
  }

  private constructor(options: RoomServerOptions) {
    this.#options = options;
    const page = pageOf(options.page);
    const answer: http.RequestListener = (request, response) => {
      if (this.#admission?.meant(request)) servePage(page, request, response);
      else response.writeHead(421, { "Content-Type": "text/plain" }).end("this name is not this server's\n");
    };
    this.#server = impatientServer(options.tls, answer);
    this.#server.maxConnections = 16 * options.size + 256;
    this.#server.on("upgrade", (request, socket, head) => {
      const refusal = request.url === "/signal" ? this.#admission?.refusal(request) : "path";
      if (refusal === undefined) {
        const leave = this.#admission?.enter(request);
        socket.once("close", () => leave?.());
        this.#sockets.handleUpgrade(request, socket, head, (ws) => this.#greet(ws));
      } else {
        socket.on("error", () => {});
        socket.end(`HTTP/1.1 ${refusal === "crowd" ? "503 Service Unavailable" : "403 Forbidden"}\r\n\r\n`);
      }
    });
  }

  async #listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => {
        reject(
          new InputError(
            `the room must be able to listen (${error.code})`,
            `${host}:${port}`,
            "free the port, or use --port",
          ),
        );
      };
      this.#server.once("error", fail);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", fail);
        // A connection that could not be taken (no more files) is nobody's end but its own.
        this.#server.on("error", () => {});
        resolve();
      });
    });
    const names = isLoopback(host) ? [host, "127.0.0.1", "localhost", "::1"] : [host];
    this.#admission = new Admission(names, this.port, this.#scheme, this.#options.size);
    this.#every(lifeTime, () => this.#askForLife());
  }

  get #scheme(): "http" | "https" {
    return this.#options.tls === undefined ? "http" : "https";
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Where it is found. */
  get origin(): string {
    const { host = "127.0.0.1" } = this.#options;
    return `${this.#scheme}://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
  }

  #greet(socket: WebSocket): void {
    const id = this.#next++;
    const { room, size } = this.#options;
    const allowance = new Allowance(200 + 64 * size, 20 + 8 * size, performance.now());
    const guest: Guest = { socket, allowance, alive: true, closing: false };
    this.#guests.set(id, guest);
    this.#after(joinTime, () => {
      if (!room.seated(id)) this.#close(id, "malformed");
    });
    socket.on("error", () => {});
    socket.on("pong", () => {
      guest.alive = true;
    });
    socket.on("close", () => {
      this.#guests.delete(id);
      this.#do(room.closed(id));
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (guest.closing) return;
      guest.alive = true;
      if (isBinary) this.#relay(id, data);
      else this.#hear(id, guest, data.toString("utf8"));
    });
  }

  #hear(id: number, { allowance }: Guest, text: string): void {
    const message = readToRoom(text);
    // Reports are as many as there is to tell; everything else is bounded.
    if (message?.kind !== "report" && !allowance.spend(performance.now())) this.#close(id, "crowd");
    else this.#do(this.#options.room.heard(id, message));
  }

  #relay(id: number, data: Buffer): void {
    const { room } = this.#options;
    if (!room.seated(id)) {
      this.#close(id, "malformed");
      return;
    }
    const target = room.relay(id, data);
    if (target !== undefined) this.#send(target, data);
  }

  /** Nothing is kept for one who does not read, whoever has so much to say to it. */
  #send(id: number, data: string | Buffer): void {
    const { socket, closing } = this.#guests.get(id) ?? {};
    if (socket === undefined || closing) return;
    if (socket.bufferedAmount > mostWaiting) this.#close(id, "crowd");
    else socket.send(data);
  }

  #do(actions: readonly RoomAction[]): void {
    const { room, runs, grace = 5000, onReport, onChange } = this.#options;
    for (const action of actions) {
      switch (action.kind) {
        case "send":
          this.#send(action.socket, JSON.stringify(action.message));
          break;
        case "close":
          this.#close(action.socket, action.reason);
          break;
        case "away":
          this.#after(grace, () => this.#do(room.lapse(action.rank, action.epoch)));
          break;
        case "report": {
          const event = readReport(action.text, action.rank, runs);
          if (event !== undefined) onReport?.(event);
          break;
        }
      }
    }
    if (actions.some(({ kind }) => kind === "change")) onChange?.();
  }

  #close(id: number, reason: Refusal): void {
    const guest = this.#guests.get(id);
    if (guest === undefined || guest.closing) return;
    guest.closing = true;
    const { socket } = guest;
    socket.close(1008, reason);
    // One who does not answer the closing is cut off.
    this.#after(1000, () => socket.terminate());
  }

  #askForLife(): void {
    for (const guest of this.#guests.values()) {
      if (!guest.alive) guest.socket.terminate();
      guest.alive = false;
      if (guest.socket.readyState === WebSocket.OPEN) guest.socket.ping();
    }
  }

  #after(milliseconds: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #every(milliseconds: number, run: () => void): void {
    this.#timers.add(setInterval(run, milliseconds));
  }

  /** Breaks all lines, as a network would; members dial again. */
  cut(): void {
    for (const { socket } of this.#guests.values()) socket.terminate();
  }

  /** Ends it: nobody gets a seat from now on, and those who sit go on without it. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.cut();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
