/**
 * The one pool of threads: worker_threads that stay, fork and join by Atomics (some microseconds while work keeps them
 * awake). The calling thread works along, and a join waits for the tasks, not for the threads: one that is still starting
 * or asleep finds them done. So a pool is made at once, without waiting.
 *
 * A thread that joins in counts itself `active` before it looks whether tasks are `open`; the caller closes them first and
 * then waits until none is active. A thread that is too late sees them closed, and never reads the next command's words.
 */

import { availableParallelism } from "node:os";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Crew, Mixer, Work } from "equitopo";
import { integer } from "equitopo/input";
import { sharedMixer } from "equitopo/internal/shared";
import { at, SPINS, type TeamMessage, takeTasks, type WorkerData } from "./memory.ts";

const MOST_ARGS = 32;

export interface ThreadPool extends Crew {
  /** A mixer whose rounds these threads share; the same bytes as kernelMixer's. */
  mixer(n: number, type?: "float64" | "float32"): Mixer;
  /** Ends the threads; teams and mixers made before must not be used any more. */
  close(): Promise<void>;
}

/**
 * A pool of threads (default: as many as the machine has).
 *
 * @example
 * ```ts
 * import { gossip, odEquiDyn, stateHash } from "equitopo";
 * import { threadPool } from "@equitopo/node";
 * const pool = threadPool(2);
 * const topology = odEquiDyn({ n: 1000 });
 * const many = gossip(topology, { d: 100, rounds: 5, mixer: pool.mixer(1000) });
 * stateHash(many.x) === stateHash(gossip(topology, { d: 100, rounds: 5 }).x) // => true
 * await pool.close();
 * ```
 */
export function threadPool(
  given: number = availableParallelism(),
  { imports = [] }: { readonly imports?: readonly string[] } = {},
): ThreadPool {
  const threads = integer("threads", given, 1, 1024);
  const ints = new Int32Array(new SharedArrayBuffer(64));
  const allArgs = new Float64Array(new SharedArrayBuffer(8 * MOST_ARGS));
  let teams = 0;
  let closed = false;
  const workers = Array.from({ length: threads - 1 }, () => {
    const { port1, port2 } = new MessageChannel();
    const workerData: WorkerData = { ints, args: allArgs, port: port2, imports };
    const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData, transferList: [port2] });
    // A pool that is not closed does not keep the process alive.
    worker.unref();
    port1.unref();
    return { worker, port: port1 };
  });

  function tell(message: TeamMessage): void {
    if (!closed) for (const { port } of workers) port.postMessage(message);
  }

  function run(team: number, own: Work, command: number, tasks: number, args: readonly number[]): void {
    if (closed) throw new Error("this pool of threads is closed");
    allArgs.set(args);
    ints[at.tasks] = tasks;
    ints[at.team] = team;
    ints[at.command] = command;
    ints[at.args] = args.length;
    Atomics.store(ints, at.next, 0);
    Atomics.store(ints, at.open, 1);
    Atomics.add(ints, at.generation, 1);
    Atomics.notify(ints, at.generation);
    try {
      takeTasks(ints, tasks, own, command, allArgs.subarray(0, args.length));
    } finally {
      Atomics.store(ints, at.open, 0);
      for (let spin = 0; ; spin++) {
        const active = Atomics.load(ints, at.active);
        if (active === 0) break;
        if (spin > SPINS) Atomics.wait(ints, at.active, active);
      }
    }
    if (Atomics.exchange(ints, at.failures, 0) > 0) throw failure();
  }

  function failure(): Error {
    const [said] = workers.map(({ port }) => receiveMessageOnPort(port)).filter((message) => message !== undefined);
    return new Error(`a thread of the pool failed${said === undefined ? "" : `: ${said.message}`}`);
  }

  const pool: ThreadPool = {
    threads,
    mixer: (n, type) => sharedMixer(pool, n, type),
    team(module, data, own) {
      const team = teams++;
      tell({ team, module, data });
      return {
        run: (command, tasks, ...args) => run(team, own, command, tasks, args),
        close: () => tell({ team }),
      };
    },
    async close() {
      closed = true;
      for (const { port } of workers) port.close();
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
  return pool;
}
