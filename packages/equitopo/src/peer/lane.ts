/**
 * What an engine must be able to do to carry an exchange (exchange.ts): bring a letter to a peer, say when one has come,
 * and tell the time. Votes, deadlines, early and late letters are not its business.
 */

import type { Counts, ElementType, Vector } from "./transport.ts";

/** What a letter is: one vector of a round, or a vote on the vectors of a mutual exchange. */
export type Kind = "vector" | "yes" | "no";

export interface Letter {
  readonly kind: Kind;
  readonly round: number;
  /** Its number among the vectors that go to one peer in one round. */
  readonly sequence: number;
  readonly data: Vector | undefined;
}

/** What a lane tells the exchange that it serves. */
export interface Ears {
  readonly counts: Counts;
  /** A letter from a peer that is who it says it is. */
  deliver(peer: number, letter: Letter): void;
  /** Nothing more comes from that peer in the exchange under way: what it still owes is missed at once. */
  gone(peer: number): void;
  /** That peer is at that round, and has sent all of earlier ones: what it still owes of those does not come any more. */
  at(peer: number, round: number): void;
  /** Something was not taken. Counted by its reason. */
  refuse(reason: string): void;
  /** This peer has no place in the network any more: the exchange under way and all later ones reject with that. */
  end(reason: Error): void;
  /** Whether the exchange under way still waits for that peer: an engine that can reads from nobody else. */
  awaits(peer: number): boolean;
  /** Whether an exchange is under way. */
  readonly busy: boolean;
}

export interface Lane {
  readonly name: string;
  /** Whether letters from one peer arrive in the order they were sent: then a later round says an earlier one is over. */
  readonly ordered: boolean;
  /** Called once, before anything else. */
  open(ears: Ears): void;
  /** Brings a letter on its way; a promise where its data is still read after the call, settled when it is free. */
  send(peer: number, letter: Letter): Promise<void> | undefined;
  /** Milliseconds on the lane's clock. */
  now(): number;
  /** Runs something once, so many milliseconds from now; the answer cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  /** An exchange is about to wait for that peer. */
  expects?(peer: number): void;
  /** An exchange has begun and is not over: an engine that is not told of arrivals looks for them from now on. */
  wait?(): void;
  /** An exchange of that round ends with data still unsent: what has not been started need not be sent. */
  abandon?(round: number): void;
  /** A letter of that peer was not taken: counted already, for the lane to tell people of. */
  refused?(peer: number, reason: string): void;
  /** Memory of a received vector that is no longer needed. */
  recycle?(data: Vector): void;
  /** The rounds below are over, and what arrived in them is no longer read; names those of the vectors that have changed. */
  leave?(round: number, read: readonly Vector[]): readonly Vector[];
  /** From now on letters are taken whole as they come (async/streams.ts): who has taken one has read it. Or no longer. */
  stream?(on: boolean): void;
  /** Delivers what has come, on a lane that is not told of arrivals. */
  look?(): void;
  /** As Transport.lend. */
  lend?(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined;
  /** Whether a vector is memory of the lane's own, read in place for as long as the lane likes. */
  keeps?(data: Vector): boolean;
  /** Whether that peer is known to be gone: nothing that is sent to it now would arrive. */
  gone?(peer: number): boolean;
  /** A round that this peer is known to have reached, where the lane knows more than letters tell; -1 before any. */
  reached?(peer: number): number;
  /** As Transport.prepare and Transport.overhear. */
  prepare?(peers: readonly number[]): void;
  overhear?(): void;
  close(): Promise<void>;
}
