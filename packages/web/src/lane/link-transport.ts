/** A peer over links: the exchange machine with the lane of link-lane.ts, alone or beside others. */

import { Exchange, type ExchangeOptions, type Lane } from "equitopo/peer";
import type { Link, LinkKind } from "../link/link.ts";
import { LinkLane, type LinkLaneOptions, windowOf } from "./link-lane.ts";

export interface LinkOptions extends LinkLaneOptions, Omit<ExchangeOptions, "earlyBytes"> {}

/** A peer whose links are attached as they are made. */
export class LinkTransport extends Exchange {
  readonly #lane: LinkLane;

  /**
   * `around` makes the peer's lane where it has others beside its links.
   *
   * @example
   * ```ts
   * import { LinkTransport, portLink } from "@equitopo/web";
   * const peers = [0, 1].map((rank) => new LinkTransport({ rank, size: 2, spec: "any text" }));
   * const { port1, port2 } = new MessageChannel();
   * peers[0].attach(1, portLink(port1));
   * peers[1].attach(0, portLink(port2));
   * const [, outcome] = await Promise.all([
   *   peers[0].exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(7) }], receive: [] }),
   *   peers[1].exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] }),
   * ]);
   * outcome.arrived[0]?.[0] // => 7
   * await Promise.all(peers.map((peer) => peer.close()));
   * ```
   */
  constructor(options: LinkOptions, around: (links: LinkLane) => Lane = (links) => links) {
    const lane = new LinkLane(options);
    super(around(lane), { ...options, earlyBytes: windowOf(options) });
    this.#lane = lane;
  }

  /** As LinkLane.attach. */
  attach(peer: number, link: Link): void {
    this.#lane.attach(peer, link);
  }

  /** As LinkLane.detach. */
  detach(peer: number): void {
    this.#lane.detach(peer);
  }

  /** As LinkLane.tell. */
  tell(peer: number, text: string): boolean {
    return this.#lane.tell(peer, text);
  }

  /** As LinkLane.linkOf. */
  linkOf(peer: number): LinkKind | undefined {
    return this.#lane.linkOf(peer);
  }

  /** Bytes sent over links of each kind. */
  get carried(): Readonly<Record<LinkKind, number>> {
    return this.#lane.carried;
  }
}
