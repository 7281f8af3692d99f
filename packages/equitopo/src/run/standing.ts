/** Where a simulated run stands between two updates, for who looks at it as it goes. */

import type { Rows } from "../round/round.ts";
import type { Recorder } from "./record.ts";

/** Where a run stands between two updates: live memory, to be read before it goes on. */
export interface Standing {
  /** Updates done. */
  readonly done: number;
  /** The models, n rows of d. */
  readonly x: Rows;
  /** What has been recorded so far. */
  readonly record: Recorder["lists"];
}

/** A class, so that it is told from what else the run yields: answers of the mixer. */
export class Between implements Standing {
  readonly done: number;
  readonly x: Rows;
  readonly record: Standing["record"];

  constructor(done: number, x: Rows, record: Standing["record"]) {
    this.done = done;
    this.x = x;
    this.record = record;
  }
}
