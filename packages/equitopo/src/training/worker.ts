/** A thread of a training run: it waits for a command, does its tasks, says so. */

import { parentPort, workerData } from "node:worker_threads";
import type { Shared } from "./shared.ts";
import { ReplicaWork } from "./work.ts";

const { shared, part } = workerData as { shared: Shared; part: number };
const { ints } = shared;
const work = new ReplicaWork(shared, part);
let seen = Atomics.load(ints, 0);
parentPort?.postMessage("ready");

for (;;) {
  Atomics.wait(ints, 0, seen);
  const generation = Atomics.load(ints, 0);
  if (generation === seen) continue;
  seen = generation;
  try {
    work.run();
  } catch {
    Atomics.add(ints, 4, 1);
  }
  if (Atomics.sub(ints, 1, 1) === 1) Atomics.notify(ints, 1);
}
