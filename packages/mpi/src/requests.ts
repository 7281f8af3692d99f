/** What is under way: requests in MPI's hands, partners of an exchange, and batches that are handed over together. */

import type { Outcome, Request, Vector } from "equitopo/peer";

export type Memory = Vector | Uint8Array;

/** A request under way: its memory must stay alive until MPI is done with it. */
export interface Posted {
  readonly memory: Memory;
  readonly peer: number;
  readonly round: number;
  done: (code: number, bytes: number) => void;
}

export interface Partner {
  readonly peer: number;
  /** Positions in the receive list. */
  readonly entries: number[];
  /** Requests not ended yet. */
  readonly requests: Set<number>;
  missing: number;
  readonly mutual: boolean;
  yes: boolean;
  open: boolean;
  readonly timeout: number;
}

export interface Pending {
  readonly request: Request;
  readonly start: number;
  readonly partners: Map<number, Partner>;
  readonly arrived: (Vector | undefined)[];
  open: number;
  readonly sending: Map<number, Vector>;
  timer: NodeJS.Timeout | undefined;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (reason: unknown) => void;
}

/** Requests that are handed over together. */
export class Batch {
  readonly first: number;
  readonly numbers: number[] = [];
  readonly memories: Memory[] = [];

  constructor(first: number) {
    this.first = first;
  }

  get next(): number {
    return this.first + this.memories.length;
  }

  add(kind: number, peer: number, tag: number, memory: Memory): number {
    this.numbers.push(kind, peer, tag);
    this.memories.push(memory);
    return this.next - 1;
  }
}
