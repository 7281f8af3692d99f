/**
 * How a text gets from one member to another: through the server, or over open links, by a member that both are linked
 * with. From the runs every member knows which members each of the others will meet, so it need not ask which are linked with
 * which. Links that break after the runs began are mended without the server first, and with it in every second attempt.
 *
 * A text of a pair (pair.ts) that goes over links travels in an envelope that names both seats and their epochs. A member
 * that carries it can do no more harm than to drop it: each end of a link proves its identity on the link (link/introduce.ts).
 */

import type { RunSpec } from "equitopo";
import { shape } from "equitopo/input";
import { everyPartner } from "equitopo/peer";
import { pieceBytes } from "../link/link.ts";
import type { Line } from "./line.ts";
import { type Sitter, sitter } from "./protocol.ts";

const { byWord, fields, oneOf, readJson, text, whole } = shape;

const words = text(pieceBytes);
const attempt = whole(0, 0xffff_ffff);
const alone = fields({ attempt });
const pairText = byWord("say", {
  try: fields({ attempt, way: oneOf("websocket", "rtc", "relay") }),
  rtc: fields({ attempt, text: words }),
  ...{ ready: alone, failed: alone, again: alone },
});
/** What the two of a pair say to each other (pair.ts); texts of connections travel beside (rtc). */
export type PairText = shape.Of<typeof pairText>;
const envelope = fields({ to: fields(sitter), from: fields(sitter), text: words });
export type Envelope = shape.Of<typeof envelope>;

/** What a pair's text says; undefined if it is no such text. */
export const readPairText = (json: string): PairText | undefined => readJson(json, pieceBytes, pairText);

/** An envelope that came over a link; undefined if it is no envelope. */
export const readEnvelope = (json: string): Envelope | undefined => readJson(json, pieceBytes, envelope);

export interface RoutesOptions {
  readonly self: Sitter;
  readonly size: number;
  readonly runs: readonly RunSpec[];
  readonly line: Pick<Line, "open" | "send">;
  readonly isLinked: (rank: number) => boolean;
  readonly tell: (rank: number, text: string) => boolean;
  /** A text of the pair with that seat. */
  readonly heard: (rank: number, epoch: number, text: PairText) => void;
}

export function routes({ self, size, runs, line, isLinked, tell, heard }: RoutesOptions) {
  /** The members that each member will ever meet, computed once. */
  const partners = new Map<number, readonly number[]>();

  /** A text came from that seat, by any way. */
  function signalled(rank: number, epoch: number, text: string): void {
    const said = readPairText(text);
    if (said !== undefined) heard(rank, epoch, said);
  }

  return {
    signalled,
    /** Sends a text. If there is no way for it, it is dropped, and the clocks of the pair start another attempt. */
    say({ rank, epoch }: Sitter, text: PairText, linkedBefore: boolean): void {
      const words = JSON.stringify(text);
      if (!line.open || (linkedBefore && text.attempt % 2 === 1)) {
        if (!partners.has(rank)) partners.set(rank, everyPartner(runs, rank));
        const carriers = partners.get(rank)?.filter((one) => one !== self.rank && isLinked(one)) ?? [];
        const envelope = { to: { rank, epoch }, from: { rank: self.rank, epoch: self.epoch }, text: words };
        // Another carrier in each attempt: this one may have no link with the other member, either.
        const carrier = carriers[text.attempt % Math.max(1, carriers.length)];
        if (carrier !== undefined && tell(carrier, JSON.stringify(envelope))) return;
      }
      line.send({ kind: "signal", to: rank, epoch, text: words });
    },
    /** A text that came over the link to a peer: for this member, or to be handed on, once. */
    received(peer: number, text: string): void {
      const envelope = readEnvelope(text);
      if (envelope === undefined) return;
      const { to, from } = envelope;
      if (to.rank !== self.rank) {
        if (from.rank === peer && to.rank < size) tell(to.rank, text);
      } else if (to.epoch === self.epoch) signalled(from.rank, from.epoch, envelope.text);
    },
  };
}
