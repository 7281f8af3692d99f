/**
 * The ways of a text from one member to another: through the server, or over open links, by a member that both are linked
 * with. Everybody knows from the runs whom everybody else will meet, so nobody need be asked who is linked with whom. Links
 * that break after the runs began are mended without the server first, and with it in every second attempt.
 */

import type { RunSpec } from "equitopo";
import { everyPartner } from "equitopo/peer";
import { readEnvelope, readPairText } from "./letter.ts";
import type { Line } from "./line.ts";
import type { PairText } from "./pair.ts";
import type { Occupant } from "./protocol.ts";

type Stand = Pick<Occupant, "rank" | "epoch">;

export interface RoutesOptions {
  readonly self: Stand;
  readonly size: number;
  readonly runs: readonly RunSpec[];
  readonly line: Pick<Line, "open" | "send">;
  readonly isLinked: (rank: number) => boolean;
  readonly tell: (rank: number, text: string) => boolean;
  /** A text of the pair with that seat. */
  readonly heard: (rank: number, epoch: number, text: PairText) => void;
}

export class Routes {
  readonly #options: RoutesOptions;
  readonly #partners = new Map<number, readonly number[]>();

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  /** Whom a member will ever meet, computed once. */
  #partnersOf(rank: number): readonly number[] {
    const partners = this.#partners.get(rank) ?? everyPartner(this.#options.runs, rank);
    this.#partners.set(rank, partners);
    return partners;
  }

  /** Sends a text; one that finds no way is lost, and the clocks of the pair see to it. */
  say({ rank, epoch }: Stand, text: PairText, linkedBefore: boolean): void {
    const { line, self, isLinked, tell } = this.#options;
    const words = JSON.stringify(text);
    if (!line.open || (linkedBefore && text.attempt % 2 === 1)) {
      const carriers = this.#partnersOf(rank).filter((one) => one !== self.rank && isLinked(one));
      const envelope = { to: { rank, epoch }, from: { rank: self.rank, epoch: self.epoch }, text: words };
      // Another one in each attempt: this one may have lost the other as well.
      const carrier = carriers[text.attempt % Math.max(1, carriers.length)];
      if (carrier !== undefined && tell(carrier, JSON.stringify(envelope))) return;
    }
    line.send({ kind: "signal", to: rank, epoch, text: words });
  }

  /** A text that came over the link to a peer: for this member, or to be handed on, once. */
  told(peer: number, text: string): void {
    const { self, size, tell } = this.#options;
    const envelope = readEnvelope(text);
    if (envelope === undefined) return;
    const { to, from } = envelope;
    if (to.rank !== self.rank) {
      if (from.rank === peer && to.rank < size) tell(to.rank, text);
    } else if (to.epoch === self.epoch) this.signalled(from.rank, from.epoch, envelope.text);
  }

  /** A text from that seat, by whatever way. */
  signalled(rank: number, epoch: number, text: string): void {
    const said = readPairText(text);
    if (said !== undefined) this.#options.heard(rank, epoch, said);
  }
}
