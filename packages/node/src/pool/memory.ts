/** What the threads of a pool share, and the messages between them. */

import type { MessagePort } from "node:worker_threads";
import type { Work } from "equitopo";

/** What a worker is given: the same memory as everybody, and a port on which teams come and go. */
export interface WorkerData {
  readonly ints: Int32Array;
  readonly args: Float64Array;
  readonly port: MessagePort;
  /** Modules that every thread loads first: plug-ins. */
  readonly imports: readonly string[];
}

/** Comes to a worker: a team to join, or (without a module) to leave. */
export interface TeamMessage {
  readonly team: number;
  readonly module?: string;
  readonly data?: unknown;
}

export const at = {
  generation: 0,
  active: 1,
  open: 2,
  next: 3,
  tasks: 4,
  team: 5,
  command: 6,
  args: 7,
  failures: 8,
} as const;

/** Looks at a flag before sleeping: about 50 microseconds. */
export const SPINS = 20_000;

/** Does one task after another, until none is left for anybody. */
export function takeTasks(ints: Int32Array, tasks: number, work: Work, command: number, args: Float64Array): void {
  for (let task = Atomics.add(ints, at.next, 1); task < tasks; task = Atomics.add(ints, at.next, 1)) {
    work(command, task, args);
  }
}
