/**
 * What asynchronous nodes used of each other, and when: all that is not a function of the spec. Whoever has it can do the
 * run again to the last bit (replay.ts). Real peers write it down with `--history` (peer/history.ts, lines "iterated").
 */

/** Vectors that were used: whose, and of which of its rounds. */
export type Used = readonly [from: number, round: number];

/** One iteration of one node. */
export interface Step {
  /** The round of the schedule that it exchanged as; left out where it did not exchange. */
  readonly round?: number;
  /** What was used, in the order in which it was added. */
  readonly used: readonly Used[];
  /** Whom nothing was sent to, because they were gone or hardly any weight was left: their shares stayed with the node. */
  readonly kept?: readonly number[];
}

/** Of every node, its iterations in order. */
export type History = readonly (readonly Step[])[];
