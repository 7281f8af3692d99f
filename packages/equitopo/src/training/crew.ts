/** The threads of a training run: fork and join by Atomics over one shared memory. The calling thread works along. */

import { Worker } from "node:worker_threads";
import type { Shared } from "./shared.ts";
import { ReplicaWork } from "./work.ts";

/** Looks at the counter before sleeping: the others end within microseconds of each other when tasks are short. */
const SPINS = 500;

export class Crew {
  readonly #shared: Shared;
  readonly #work: ReplicaWork;
  readonly #workers: readonly Worker[];
  #closed = false;

  private constructor(shared: Shared, workers: readonly Worker[]) {
    this.#shared = shared;
    this.#workers = workers;
    this.#work = new ReplicaWork(shared, 0);
  }

  /** Ready when every thread has its kernels. */
  static async start(shared: Shared, threads: number): Promise<Crew> {
    const workers: Worker[] = [];
    const ready: Promise<void>[] = [];
    for (let part = 1; part < threads; part++) {
      const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: { shared, part } });
      workers.push(worker);
      ready.push(
        new Promise((resolve, reject) => {
          worker.once("message", () => resolve());
          worker.once("error", reject);
        }),
      );
    }
    await Promise.all(ready);
    // A crew that nobody dismisses does not keep the process alive.
    for (const worker of workers) worker.unref();
    return new Crew(shared, workers);
  }

  /** So many tasks of a command, done when this returns. */
  run(command: number, tasks: number, ...args: readonly number[]): void {
    if (this.#closed) throw new Error("this training run is closed");
    const { ints } = this.#shared;
    this.#shared.args.set([tasks, ...args]);
    ints[2] = command;
    Atomics.store(ints, 3, 0);
    Atomics.store(ints, 1, this.#workers.length);
    Atomics.add(ints, 0, 1);
    Atomics.notify(ints, 0);
    try {
      this.#work.run();
    } finally {
      this.#join();
    }
  }

  #join(): void {
    const { ints } = this.#shared;
    for (let spin = 0; ; spin++) {
      const working = Atomics.load(ints, 1);
      if (working === 0) break;
      if (spin > SPINS) Atomics.wait(ints, 1, working, 1000);
    }
    if (Atomics.exchange(ints, 4, 0) > 0) throw new Error("a thread of the training run failed");
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
