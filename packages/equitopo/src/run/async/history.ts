/**
 * What asynchronous nodes used of each other, and when: everything about their run that does not follow from the spec. With
 * it the run can be repeated to the last bit (replay.ts). Real peers write it with `--history` (peer/history, lines
 * "iterated").
 */

/** Vectors that were used: their sender, and which of its rounds they belong to. */
export type Used = readonly [from: number, round: number];

export interface Step {
  /** The round of the schedule that it exchanged as; left out if it did not exchange. */
  readonly round?: number;
  /** What was used, in the order in which it was added. */
  readonly used: readonly Used[];
  /** Nodes that nothing was sent to, because they were gone or hardly any weight was left: their shares stayed here. */
  readonly kept?: readonly number[];
}

/** The iterations of every node, in order. */
export type History = readonly (readonly Step[])[];
