/**
 * One peer, several engines: TCP to peers that listen for it, links to browsers, chosen peer by peer and anew for every
 * letter. The exchange machine above sees one lane.
 */

import { type Link, type LinkLane, type LinkOptions, LinkTransport } from "@equitopo/web";
import type { Ears, Lane, Letter, Vector } from "equitopo/peer";
import type { Address } from "../server/address.ts";
import type { TcpOptions } from "../tcp/tcp.ts";
import { TcpLane } from "../tcp/tcp-lane.ts";

export class RoutedLane implements Lane {
  readonly name: string;
  readonly ordered: boolean;
  readonly now: Lane["now"];
  readonly after: Lane["after"];
  readonly #lanes: readonly Lane[];
  readonly #size: number;
  readonly #route: (peer: number) => Lane;

  /** `route` names the lane to a peer, one of `lanes`; the first one keeps the time. */
  constructor(lanes: readonly Lane[], size: number, route: (peer: number) => Lane) {
    const [first] = lanes;
    this.name = lanes.map(({ name }) => name).join(" and ");
    this.ordered = lanes.every(({ ordered }) => ordered);
    this.now = () => first.now();
    this.after = (milliseconds, run) => first.after(milliseconds, run);
    this.#lanes = lanes;
    this.#size = size;
    this.#route = route;
  }

  // What goes to one peer.
  send = (peer: number, letter: Letter) => this.#route(peer).send(peer, letter);
  gone = (peer: number) => this.#route(peer).gone?.(peer) === true;
  starts = (peer: number) => this.#route(peer).starts?.(peer) ?? 0;
  expects = (peer: number) => this.#route(peer).expects?.(peer);
  refused = (peer: number, reason: string) => this.#route(peer).refused?.(peer, reason);

  // What goes to all lanes.
  open = (ears: Ears) => this.#each((lane) => lane.open(ears));
  wait = () => this.#each((lane) => lane.wait?.());
  abandon = (round: number) => this.#each((lane) => lane.abandon?.(round));
  stream = (on: boolean) => this.#each((lane) => lane.stream?.(on));
  look = () => this.#each((lane) => lane.look?.());
  recycle = (data: Vector) => this.#lanes[0].recycle?.(data);
  leave = (round: number, read: readonly Vector[]) => this.#lanes.flatMap((lane) => lane.leave?.(round, read) ?? []);
  prepare = (peers: readonly number[]) =>
    this.#each((lane) => lane.prepare?.(peers.filter((peer) => this.#route(peer) === lane)));

  /** Not each lane's own: that would dial peers of the others, too. */
  overhear = () => this.prepare(Array.from({ length: this.#size }, (_, peer) => peer));

  close = async () => {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  };

  #each(act: (lane: Lane) => void): void {
    for (const lane of this.#lanes) act(lane);
  }
}

export interface RoutedOptions
  extends Omit<TcpOptions, "addresses" | "earlyBytes" | "spec" | "maxBytes" | "tls">,
    LinkOptions {
  /** Where peers of Node listen for TCP; undefined for browsers. Read when it is needed, so that it may be filled in later. */
  readonly addresses: (Address | undefined)[];
}

/** A Node peer among Node peers and browsers. */
export class RoutedTransport extends LinkTransport {
  readonly #tcp: TcpLane;
  readonly #addresses: (Address | undefined)[];

  /** Listens for TCP from the time that the promise is settled. */
  static async listen(options: RoutedOptions): Promise<RoutedTransport> {
    const transport = new RoutedTransport(options);
    await transport.#tcp.listen();
    return transport;
  }

  private constructor(options: RoutedOptions) {
    const { addresses, rank, size } = options;
    const tcp = new TcpLane({ ...options, addresses: addresses as TcpOptions["addresses"] });
    super(options, (links: LinkLane) => {
      const route = (peer: number): Lane => {
        const far = peer === rank || addresses[peer] === undefined || links.linkOf(peer) !== undefined;
        return far ? links : tcp;
      };
      return new RoutedLane([tcp, links], size, route);
    });
    this.#tcp = tcp;
    this.#addresses = addresses;
  }

  /** A Node peer that listens there has taken that place: it is dialled at once. */
  reach(peer: number, address: Address): void {
    this.#tcp.forget(peer);
    this.#addresses[peer] = address;
    this.prepare([peer]);
  }

  override detach(peer: number): void {
    this.#tcp.forget(peer);
    this.#addresses[peer] = undefined;
    super.detach(peer);
  }

  /** The port at which it listens for TCP. */
  get port(): number {
    return this.#tcp.port;
  }

  override attach(peer: number, link: Link): void {
    // A browser has taken the seat of a Node peer: nobody listens there any more.
    this.#tcp.forget(peer);
    super.attach(peer, link);
  }
}
