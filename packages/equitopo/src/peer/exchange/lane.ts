/**
 * What a lane must be able to do to carry an exchange (exchange.ts): take a letter to a peer, deliver those that come, and give
 * the time. Votes, deadlines, early and late letters are handled by the exchange.
 */

import type { Clock } from "./runtime.ts";
import type { Counts, ElementType, Incoming, Refusal, Vector } from "./transport.ts";

/**
 * What a letter is: one vector of a round, a vote on the vectors of a mutual exchange, or the notice of a repair (Notices), which
 * has the round of its sender and the repair's number as its sequence.
 */
export type Kind = "vector" | "yes" | "no" | "repair";

/** Rounds from here on are those of letters that belong to no exchange (elastic/hub.ts), and say nothing of where a peer is. */
export const wordRounds = 2 ** 52;

export interface Letter {
  readonly kind: Kind;
  readonly round: number;
  /** Its number among the vectors that go to one peer in one round. */
  readonly sequence: number;
  readonly data: Vector | undefined;
}

/** What a lane reports to the exchange that it serves. */
export interface Ears {
  readonly counts: Counts;
  /** A letter from a peer whose rank is proved. */
  deliver(peer: number, letter: Letter): void;
  /** Nothing more comes from that peer in the exchange under way: what it still owes is missed at once. */
  gone(peer: number): void;
  /** That peer is at that round, and has sent all of earlier ones: what is missing of those will not come any more. */
  at(peer: number, round: number): void;
  /** That peer has reached that round, which the lane knows of before any letter of it is delivered. */
  reached?(peer: number, round: number): void;
  /** Something was refused. Counted by its reason; the last of each is kept. */
  refuse(reason: string, refusal?: Refusal): void;
  /** This peer no longer has a place in the network: the exchange under way and all later ones reject with that reason. */
  end(reason: Error): void;
  /** Whether the exchange under way still waits for that peer: a lane that can choose reads from no other. */
  awaits(peer: number): boolean;
  /** Whether an exchange is under way. */
  readonly busy: boolean;
}

export interface Lane extends Clock {
  readonly name: string;
  /** Whether letters from one peer arrive in the order they were sent: then a later round says an earlier one is over. */
  readonly ordered: boolean;
  /** Called once, before anything else. */
  open(ears: Ears): void;
  /** Brings a letter on its way; a promise where its data is still read after the call, settled when it is free. */
  send(peer: number, letter: Letter): Promise<void> | undefined;
  /** An exchange is about to wait for that peer, whose first vector is to be of that kind. */
  expects?(peer: number, first?: Incoming): void;
  /** An exchange has begun and is not over: a lane that has to poll for letters does so from now on. */
  wait?(): void;
  /** An exchange of that round ends with data still unsent: what has not been started need not be sent. */
  abandon?(round: number): void;
  /** A letter of that peer was refused: already counted, for the lane to report. */
  refused?(peer: number, reason: string): void;
  /** Memory of a received vector that is no longer needed. */
  recycle?(data: Vector): void;
  /** The rounds below are over, and what arrived in them is no longer read; names those of the vectors that have changed. */
  leave?(round: number, read: readonly Vector[]): readonly Vector[];
  /** Whether letters are copied as they come (streams.ts), from now on: their memory is then free at once. */
  stream?(on: boolean): void;
  /** Delivers what has come, on a lane that has to poll for letters. */
  look?(): void;
  /** As Transport.lend. */
  lend?(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined;
  /** Whether a vector is memory of the lane's own, read in place for as long as the lane likes. */
  keeps?(data: Vector): boolean;
  /** Whether that peer is known to be gone: nothing that is sent to it now would arrive. */
  gone?(peer: number): boolean;
  /** How often that peer's program is known to have been started again. */
  starts?(peer: number): number;
  /** As Transport.prepare and Transport.overhear. */
  prepare?(peers: readonly number[]): void;
  overhear?(): void;
  close(): Promise<void>;
}
