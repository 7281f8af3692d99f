/**
 * Peers on machines: node:net, or node:tls with a shared private CA, or plain TCP with a pre-shared key (seal.ts).
 * Each peer listens; each dials those it receives from (inlet.ts) and answers those it sends to (outlet.ts). Frames as in
 * frame.ts. Without TLS or key only loopback addresses are served, unless `insecure` is set.
 */

import { Exchange, type ExchangeOptions, type Lane } from "equitopo/peer";
import type { Address, TlsFiles } from "../server/address.ts";
import { TcpLane } from "./tcp-lane.ts";

export interface TcpOptions extends ExchangeOptions {
  /** Where every peer listens, this one included; read when a peer is dialled, so that it may be filled in later. */
  readonly addresses: readonly Address[];
  /** Called before a peer that could not be reached is dialled again: it may have come back at another address. */
  readonly refresh?: (() => void) | undefined;
  /** Where to listen, if not at addresses[rank] (port 0: any free one). */
  readonly listen?: Address;
  /** What all peers must agree on: any text. Peers of another are refused. */
  readonly spec: string;
  /** At least 16 secret bytes that all peers know. Authenticates and encrypts. */
  readonly key?: Uint8Array;
  readonly tls?: TlsFiles;
  /** Allows plain TCP off this machine. */
  readonly insecure?: boolean;
  /** The longest vector in bytes (`largestSent` gives it for runs): a longer one is refused at its header. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for a handshake, all of it. Default 10 s. */
  readonly handshakeTimeout?: number;
  /** Milliseconds to wait for a peer that has not connected yet: at the start (default: 30 s), after a break (1 s). */
  readonly startGrace?: number;
  readonly lostGrace?: number;
  /** Milliseconds that a peer may leave a dial unanswered before nobody waits for it. Default: `handshakeTimeout`. */
  readonly answerGrace?: number;
  /** How many exchanges count as the start. Default: as many as a meeting takes. */
  readonly startRounds?: number;
  /** Milliseconds between two signs of life on a connection (default 1 s; above 64 peers n/64 s). */
  readonly beat?: number;
  /** Milliseconds of silence that end a connection. Default: half the timeout, at least 4 s; a peer that computes is silent. */
  readonly silence?: number;
  /** Which start of this peer's program it is (incarnation.ts). Default: of now. */
  readonly incarnation?: number;
  /** Called once for each kind of refusal from each source. Default: writes the line to standard error. */
  readonly log?: (line: string) => void;
}

export class TcpTransport extends Exchange {
  readonly #tcp: TcpLane;

  /**
   * A peer that listens. It dials the others by itself, when it first needs them or when `prepare` is called. If a newer
   * process with the same rank appears, this peer's exchanges reject: it has been replaced.
   *
   * @example
   * ```ts
   * import { TcpTransport } from "@equitopo/node";
   * const listen = { host: "127.0.0.1", port: 0 };
   * const addresses = [listen, listen];
   * const open = (rank: number) => TcpTransport.listen({ rank, size: 2, addresses, listen, spec: "any text" });
   * const peers = [await open(0), await open(1)];
   * for (const { rank, port } of peers) addresses[rank] = { host: "127.0.0.1", port };
   * const [, outcome] = await Promise.all([
   *   peers[0].exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(7) }], receive: [] }),
   *   peers[1].exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] }),
   * ]);
   * outcome.arrived[0]?.[0] // => 7
   * await Promise.all(peers.map((peer) => peer.close()));
   * ```
   */
  static async listen(options: TcpOptions): Promise<TcpTransport> {
    const tcp = new TcpLane(options);
    const transport = new TcpTransport(tcp, options);
    await tcp.listen();
    return transport;
  }

  /** `lane` is the TCP lane itself, or one that has it among others. */
  protected constructor(tcp: TcpLane, options: TcpOptions, lane: Lane = tcp) {
    super(lane, options);
    this.#tcp = tcp;
  }

  get port(): number {
    return this.#tcp.port;
  }
}
