/**
 * The one pool of threads: worker_threads that stay, fork and join by Atomics (some microseconds while work keeps them
 * awake). The calling thread works along, and a join waits for the tasks, not for the threads: one that is still starting
 * or asleep finds them done. So a pool is made at once, without waiting.
 *
 * A thread that joins in counts itself `active` before it looks whether tasks are `open`; the caller closes them first and
 * then waits for nobody to be active. Whoever comes too late sees them closed, and never reads the next command's words.
 */

import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Crew, Mixer, Team, Work } from "equitopo";
import { integer } from "equitopo/input";
import { sharedMixer } from "equitopo/shared";
import { at, SPINS, type TeamMessage, type WorkerData } from "./memory.ts";

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
  threads: number = availableParallelism(),
  options: { readonly imports?: readonly string[] } = {},
): ThreadPool {
  return new Pool(integer("threads", threads, 1, 1024), options.imports ?? []);
}

class Pool implements ThreadPool {
  readonly threads: number;
  readonly #workers: { readonly worker: Worker; readonly port: MessagePort }[] = [];
  readonly #ints = new Int32Array(new SharedArrayBuffer(64));
  readonly #args = new Float64Array(new SharedArrayBuffer(8 * MOST_ARGS));
  #teams = 0;
  #closed = false;

  constructor(threads: number, imports: readonly string[]) {
    this.threads = threads;
    for (let k = 1; k < threads; k++) {
      const { port1, port2 } = new MessageChannel();
      const workerData: WorkerData = { ints: this.#ints, args: this.#args, port: port2, imports };
      const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData, transferList: [port2] });
      // A pool that is not closed does not keep the process alive.
      worker.unref();
      port1.unref();
      this.#workers.push({ worker, port: port1 });
    }
  }

  mixer(n: number, type?: "float64" | "float32"): Mixer {
    return sharedMixer(this, n, type);
  }

  team(module: string, data: unknown, own: Work): Team {
    const team = this.#teams++;
    this.#tell({ team, module, data });
    return {
      run: (command, tasks, ...args) => this.#run(team, own, command, tasks, args),
      close: () => this.#tell({ team }),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { port } of this.#workers) port.close();
    await Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
  }

  #tell(message: TeamMessage): void {
    if (!this.#closed) for (const { port } of this.#workers) port.postMessage(message);
  }

  #run(team: number, own: Work, command: number, tasks: number, args: readonly number[]): void {
    if (this.#closed) throw new Error("this pool of threads is closed");
    const ints = this.#ints;
    this.#args.set(args);
    ints[at.tasks] = tasks;
    ints[at.team] = team;
    ints[at.command] = command;
    ints[at.args] = args.length;
    Atomics.store(ints, at.next, 0);
    Atomics.store(ints, at.open, 1);
    Atomics.add(ints, at.generation, 1);
    Atomics.notify(ints, at.generation);
    const words = this.#args.subarray(0, args.length);
    try {
      for (let task = Atomics.add(ints, at.next, 1); task < tasks; task = Atomics.add(ints, at.next, 1)) {
        own(command, task, words);
      }
    } finally {
      Atomics.store(ints, at.open, 0);
      for (let spin = 0; ; spin++) {
        const active = Atomics.load(ints, at.active);
        if (active === 0) break;
        if (spin > SPINS) Atomics.wait(ints, at.active, active);
      }
    }
    if (Atomics.exchange(ints, at.failures, 0) > 0) throw this.#failure();
  }

  /** What a thread said of why it failed. */
  #failure(): Error {
    for (const { port } of this.#workers) {
      const said = receiveMessageOnPort(port);
      if (said !== undefined) return new Error(`a thread of the pool failed: ${said.message}`);
    }
    return new Error("a thread of the pool failed");
  }
}
