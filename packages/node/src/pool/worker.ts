/** A thread of the pool: it waits for a command, takes tasks of it until none is left, and waits again. */

import { receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Work } from "equitopo";
import { at, SPINS, type TeamMessage, takeTasks, type WorkerData } from "./memory.ts";

const { ints, args, port, imports } = workerData as WorkerData;
const teams = new Map<number, Work>();

function fail(error: unknown): void {
  port.postMessage(error instanceof Error ? (error.stack ?? error.message) : String(error));
  Atomics.add(ints, at.failures, 1);
}

/** Teams that were made or closed since the last look. */
async function look(): Promise<void> {
  for (let said = receiveMessageOnPort(port); said !== undefined; said = receiveMessageOnPort(port)) {
    const { team, module, data } = said.message as TeamMessage;
    if (module === undefined) teams.delete(team);
    else {
      try {
        teams.set(team, (await import(module)).default(data));
      } catch (error) {
        fail(error);
      }
    }
  }
}

function work(): void {
  // A team that this thread has not heard of yet does without it.
  const team = teams.get(ints[at.team]);
  if (team === undefined) return;
  takeTasks(ints, ints[at.tasks], team, ints[at.command], args.subarray(0, ints[at.args]));
}

for (const module of imports) await import(module);
for (let seen = 0; ; ) {
  // The next command of a run comes within microseconds: look for it before going to sleep.
  for (let spin = 0; Atomics.load(ints, at.generation) === seen; spin++) {
    if (spin > SPINS) Atomics.wait(ints, at.generation, seen);
  }
  seen = Atomics.load(ints, at.generation);
  await look();
  Atomics.add(ints, at.active, 1);
  try {
    if (Atomics.load(ints, at.open) === 1) work();
  } catch (error) {
    fail(error);
  }
  if (Atomics.sub(ints, at.active, 1) === 1) Atomics.notify(ints, at.active);
}
