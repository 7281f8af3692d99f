/**
 * Threads that share work, as mixers and problems see them. Whoever has threads (Node, a browser) makes the crew; the
 * work is a module, which every thread loads, and the data that it is given there.
 */

/** Does one task of a command; tasks of one command do not read what others of it write. */
export type Work = (command: number, task: number, args: Float64Array) => void;

export interface Crew {
  /** The calling thread included. */
  readonly threads: number;
  /**
   * Threads for one kind of work. Every other thread loads `module` (an address) and calls its default export with
   * `data`, which goes there as a message does (shared memory stays shared), for a Work; the calling thread does `own`.
   */
  team(module: string, data: unknown, own: Work): Team;
}

export interface Team {
  /** Tasks 0 .. tasks - 1 of a command, each done by one thread; all are done when this returns. */
  run(command: number, tasks: number, ...args: readonly number[]): void;
  /** The threads let go of its data. */
  close(): void;
}
