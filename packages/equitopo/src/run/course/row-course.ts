/**
 * The course of a run at a peer, which has one row and counts what it sends itself: when to record, evaluate and save, and
 * what the peer has spent so far. Bytes of evaluations do not count; what an earlier start of the peer spent does. The
 * driver advances the row and calls `done` after each update. Records go to `onRecord`, which sends them to the peer that
 * collects those of all.
 */

import { defined } from "../../input/input.ts";
import type { Problem, Tally } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";
import type { Cadence } from "./cadence.ts";

/** What a peer has sent and how long it took. Evaluations are not counted in the bytes. */
export interface Spent {
  readonly bytes: number;
  readonly messages: number;
  readonly seconds: number;
  /** Of the bytes, those to other groups, if the topology has groups: between machines. */
  readonly between?: number;
}

type Sent = Omit<Spent, "seconds">;

/** A row on its way to a report. Read x at once: its memory is used again. */
export interface PeerRecord extends Spent {
  readonly run: number;
  readonly updates: number;
  readonly x: Rows;
  /** What the problem keeps for this peer (Problem.state), if anything. */
  readonly state?: Readonly<Record<string, Rows>>;
  /** What this peer contributes to the evaluation after these updates, if there is one. */
  readonly tally?: Tally;
}

/** What the course asks of its driver. */
export interface RowDriver {
  /** The models as they are between two updates. */
  x(): Rows;
  /** Sent so far by this program, evaluations included. */
  sent(): Sent;
  /** This peer's part in the evaluation after so many updates. */
  evaluate(updates: number, last: boolean): Promise<Tally>;
  save(updates: number): Promise<void>;
}

export interface RowCourseOptions {
  readonly cadence: Cadence;
  readonly driver: RowDriver;
  readonly problem: Pick<Problem, "state">;
  /** The run's place among those of a spec. */
  readonly run: number;
  /** What an earlier start of this peer had spent on the run. */
  readonly spent?: Spent | undefined;
  /** Whether to save after so many updates (save-points.ts); never if left out. */
  readonly saves?: ((updates: number) => boolean) | undefined;
  readonly onRecord?: ((record: PeerRecord) => void) | undefined;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

export type RowCourse = ReturnType<typeof rowCourse>;

export function rowCourse({ cadence, driver, problem, run, saves, onRecord, now, ...options }: RowCourseOptions) {
  const { spent = { bytes: 0, messages: 0, seconds: 0 } } = options;
  const begun = now() - 1000 * spent.seconds;
  /** What does not count: evaluations, less what an earlier start of this peer had spent. */
  let uncounted = difference(driver.sent(), spent);
  /** Updates of the last record. A peer that restarts after the last update still has a row to record. */
  let recorded = -1;

  async function evaluate(updates: number, last: boolean): Promise<Tally> {
    const before = driver.sent();
    const tally = await driver.evaluate(updates, last);
    uncounted = difference(uncounted, difference(before, driver.sent()));
    return tally;
  }

  function record(updates: number, tally?: Tally): void {
    recorded = updates;
    onRecord?.(defined({ run, updates, x: driver.x(), state: problem.state, tally, ...course.spent }));
  }

  const course = {
    get spent(): Spent {
      return { ...difference(driver.sent(), uncounted), seconds: (now() - begun) / 1000 };
    },

    /** Begins after so many updates; records the row that the run begins with, once. */
    begin(updates: number): void {
      if (updates === 0 && recorded < 0) record(0);
    },

    /** So many updates are done, `before` of them at the last call: evaluates, records and saves if that is due. */
    async done(updates: number, before = updates - 1): Promise<void> {
      const due = cadence.due(updates);
      const tally = due.evaluate ? await evaluate(updates, due.last) : undefined;
      if (cadence.passed(before, updates) !== undefined) record(updates, tally);
      if (saves === undefined) return;
      // Each skipped update is asked for: it may have been one to save at.
      const asked = Array.from({ length: updates - before }, (_, k) => saves(before + 1 + k));
      if (due.last || asked.includes(true)) await driver.save(updates);
    },

    /** The last update is done, or was skipped: evaluates, records and saves, unless `done` has. */
    async end(): Promise<void> {
      if (recorded < cadence.rounds) await course.done(cadence.rounds);
    },
  };
  return course;
}

function difference(a: Sent, b: Sent): Sent {
  const { bytes, messages, between } = a;
  const count = { bytes: bytes - b.bytes, messages: messages - b.messages };
  return between === undefined ? count : { ...count, between: between - (b.between ?? 0) };
}
