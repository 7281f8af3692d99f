/**
 * Messages about membership. Every message names the incarnation that sends it; the seat that it comes from is established by
 * the lane (a TLS certificate, a key), not by the message. The ballots are those of Paxos, one decision for each epoch:
 *
 *   beat       my stage and updates, whom I miss, and in epoch 0 whom I heard first in each seat (founders.ts)
 *   prepare    ballot b for the epoch after e: will you take part?     -> promise (what I accepted before, my updates)
 *   accept     value v under ballot b                                  -> accepted
 *   refused    a later ballot has my promise
 *   decided    epoch v is agreed on
 *   want       send me your models: I am a member and have none       -> a state (transfer.ts), which is not JSON
 *
 * As JSON in UTF-8. Whatever is not exactly such a message is refused.
 */

import type { ByWord, Of, Shape } from "../../input/shape.ts";
import { byWord, fields, list, oneOf, readJson, when, whole } from "../../input/shape.ts";
import type { Epoch, EpochMember } from "./epoch.ts";

/** A peer has not begun yet (epoch 0), asks to join, is a member, a member about to leave, one at the end of the run, or has left. */
const stages = ["opening", "joining", "member", "leaving", "done", "left"] as const;
export type Stage = (typeof stages)[number];

export function encodeMessage(message: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** The most bytes that a message among so many seats takes. */
export const messageBytes = (seats: number): number => 1024 + 128 * seats;

const most = Number.MAX_SAFE_INTEGER;
const count = whole(0, most);
const counts = list(count, most);
const member = fields({ seat: count, incarnation: whole(1, most), since: count });
/** Members by ascending seat, none of them without an incarnation: only epoch 0 has such, and nobody votes on that. */
const members: Shape<readonly EpochMember[]> = (value) => {
  const all = list(member, most)(value);
  const ascending = all.length > 0 && all.every(({ seat }, k) => k === 0 || all[k - 1].seat < seat);
  return when<readonly EpochMember[]>(() => ascending)(all);
};
const epoch: Shape<Epoch> = fields({ number: whole(1, most), members, first: count });

/** A value that was accepted, and under which ballot. */
export type Accepted = Of<typeof accepted>;
const accepted = fields({ ballot: count, value: epoch });

const ballot = { incarnation: count, epoch: count, ballot: count };
const ballots = {
  prepare: fields(ballot),
  promise: fields({ ...ballot, updates: count, accepted: (value) => (value === null ? null : accepted(value)) }),
  refused: fields({ ...ballot, promised: whole(-1, most) }),
  accept: fields({ ...ballot, value: epoch }),
  accepted: fields(ballot),
};
export type BallotMessage = ByWord<"say", typeof ballots>;

export type Message = Of<typeof message>;
const message = byWord("say", {
  ...ballots,
  beat: fields({
    incarnation: count,
    stage: oneOf(...stages),
    /** The last epoch that it knows of. */
    epoch: count,
    updates: count,
    missed: counts,
    /** Epoch 0: the incarnation that it first heard of in each seat, 0 where none; empty later. */
    known: counts,
  }),
  decided: fields({ incarnation: count, value: epoch }),
  want: fields({ incarnation: count, epoch: count }),
});
export type Beat = Extract<Message, { readonly say: "beat" }>;

/** The message in the bytes; undefined where there is none. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  try {
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes), most, message);
  } catch {
    // Bytes that are no text.
    return undefined;
  }
}
