/**
 * What peers say to each other about who is in. Every message names the incarnation that sends it; the seat it comes from is
 * the lane's word (a certificate, a key), not the message's. The ballots are those of Paxos, one decision for each epoch:
 *
 *   beat       where I stand, whom I miss, and in epoch 0 whom I heard of first in each seat (opening.ts)
 *   prepare    ballot b for the epoch after e: will you take part?     -> promise (what I accepted before, where I stand)
 *   accept     value v under ballot b                                  -> accepted
 *   refused    a later ballot has my promise
 *   decided    epoch v is agreed on
 *   want       send me the models you hold: I am in and have none      -> a state (transfer.ts), which is no text
 *
 * As JSON in UTF-8. Whatever is not exactly such a message is refused.
 */

import type { Epoch, Member } from "./epoch.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (label: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };

/**
 * Where a peer stands: not begun yet (epoch 0), asking to be let in, in, in and about to leave, in and at the end of the
 * run, out for good.
 */
export type Stage = "opening" | "joining" | "member" | "leaving" | "done" | "left";
const stages: readonly unknown[] = ["opening", "joining", "member", "leaving", "done", "left"] satisfies Stage[];

export interface Beat {
  readonly say: "beat";
  readonly incarnation: number;
  readonly stage: Stage;
  /** The last epoch that it knows of. */
  readonly epoch: number;
  /** Iterations done. */
  readonly updates: number;
  /** Seats of members that it misses. */
  readonly missed: readonly number[];
  /** Epoch 0: the incarnation that it first heard of in each seat, 0 where none; empty later. */
  readonly known: readonly number[];
}

interface Ballot {
  readonly incarnation: number;
  readonly epoch: number;
  readonly ballot: number;
}

/** A value that was accepted, and under which ballot. */
export interface Accepted {
  readonly ballot: number;
  readonly value: Epoch;
}

/** The messages of a ballot. */
export type BallotMessage =
  | (Ballot & { readonly say: "prepare" })
  | (Ballot & { readonly say: "promise"; readonly updates: number; readonly accepted: Accepted | null })
  | (Ballot & { readonly say: "refused"; readonly promised: number })
  | (Ballot & { readonly say: "accept"; readonly value: Epoch })
  | (Ballot & { readonly say: "accepted" });

export type Message =
  | Beat
  | BallotMessage
  | { readonly say: "decided"; readonly incarnation: number; readonly value: Epoch }
  | { readonly say: "want"; readonly incarnation: number; readonly epoch: number };

export function encodeMessage(message: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** The most bytes that a message among so many seats takes. */
export const messageBytes = (seats: number): number => 1024 + 128 * seats;

type Fields = Readonly<Record<string, unknown>>;

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const ballot = (value: unknown): value is number => value === -1 || whole(value);
const wholes = (value: unknown): boolean => Array.isArray(value) && value.every(whole);
const fields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The message in the bytes; undefined where there is none. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (!fields(said) || !whole(said["incarnation"])) return undefined;
  return isMessage(said) ? (said as unknown as Message) : undefined;
}

function isMessage(said: Fields): boolean {
  const vote = whole(said["epoch"]) && whole(said["ballot"]);
  switch (said["say"]) {
    case "beat":
      return (
        stages.includes(said["stage"]) &&
        [said["epoch"], said["updates"]].every(whole) &&
        [said["missed"], said["known"]].every(wholes)
      );
    case "prepare":
    case "accepted":
      return vote;
    case "promise":
      return vote && whole(said["updates"]) && (said["accepted"] === null || isAccepted(said["accepted"]));
    case "refused":
      return vote && ballot(said["promised"]);
    case "accept":
      return vote && isEpoch(said["value"]);
    case "decided":
      return isEpoch(said["value"]);
    case "want":
      return whole(said["epoch"]);
    default:
      return false;
  }
}

function isAccepted(value: unknown): boolean {
  return fields(value) && whole(value["ballot"]) && isEpoch(value["value"]);
}

/** Members by ascending seat, none of them without an incarnation: only epoch 0 has such, and nobody votes on that. */
function isEpoch(value: unknown): boolean {
  if (!fields(value) || !whole(value["number"]) || value["number"] === 0 || !whole(value["first"])) return false;
  const members = value["members"];
  if (!Array.isArray(members) || members.length === 0) return false;
  return members.every((one, k) => isMember(one) && (k === 0 || members[k - 1].seat < one.seat));
}

function isMember(value: unknown): value is Member {
  return (
    fields(value) && [value["seat"], value["incarnation"], value["since"]].every(whole) && value["incarnation"] !== 0
  );
}
