/**
 * Threads for large n x d, in Node: worker_threads over one shared wasm memory, a pool that stays, and fork and join by
 * Atomics (some microseconds, while a run of rounds keeps the threads awake). A step of a round is shared out by rows,
 * pairs or columns, and no sum crosses a share, so the bytes are those of one thread.
 *
 * A subpath of its own, `equitopo/threads`: the rest of the library knows nothing of Node.
 */

import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { InputError, integer } from "../input/input.ts";
import type { Arena } from "../kernel/arena.ts";
import { oneThread, type Runner, type Step } from "../kernel/gossip.ts";
import { callGossip, gossipKernels } from "../kernel/gossip-calls.ts";
import { compileKernels, createSharedKernels, type Kernels } from "../kernel/instance.ts";
import { mixerOver } from "../round/kernel-mixer.ts";
import type { Mixer } from "../round/mixer.ts";
import { sharedWasmBase64 } from "./wasm.ts";
import { ATTACH, CLOSE, type WorkerData, workerMain } from "./worker.ts";

export interface ThreadPool {
  /** Threads that share the work, the calling one included. */
  readonly threads: number;
  /** A mixer whose rounds these threads share; the same bytes as kernelMixer's. */
  mixer(n: number, type?: "float64" | "float32"): Mixer;
  /** Ends the threads; mixers made before must not be used any more. */
  close(): Promise<void>;
}

/** Rounds over fewer numbers are done sooner than shared out. */
const FEW_NUMBERS = 2 ** 15;
/** Looks at a flag before sleeping: about 50 microseconds. */
const SPINS = 20_000;

/**
 * A pool of threads (default: as many as the machine has).
 *
 * @example
 * ```ts
 * import { gossip, odEquiDyn, stateHash } from "equitopo";
 * import { threadPool } from "equitopo/threads";
 * const pool = threadPool(2);
 * const topology = odEquiDyn({ n: 1000 });
 * const many = gossip(topology, { d: 100, rounds: 5, mixer: pool.mixer(1000) });
 * stateHash(many.x) === stateHash(gossip(topology, { d: 100, rounds: 5 }).x) // => true
 * await pool.close();
 * ```
 */
export function threadPool(threads: number = availableParallelism()): ThreadPool {
  integer("threads", threads, 1, 1024);
  const module = compileKernels(sharedWasmBase64);
  if (module === null) throw new InputError("threads need wasm SIMD", "none", "use kernelMixer, which does without");
  const pool = new Pool(threads, module);
  return {
    threads,
    mixer: (n, type = "float64") => mixerOver(n, type, pool, (bytes) => pool.create(bytes)),
    close: () => pool.close(),
  };
}

class Pool implements Runner {
  readonly threads: number;
  readonly #module: object;
  readonly #workers: { readonly worker: Worker; readonly port: MessagePort }[] = [];
  readonly #ints = new Int32Array(new SharedArrayBuffer(64));
  readonly #args = new Float64Array(new SharedArrayBuffer(8 * 32));
  readonly #ids = new WeakMap<Kernels<ArrayBufferLike>, number>();
  /** Arenas that nobody holds any more; the threads let go of them at the next attachment. */
  #stale: number[] = [];
  readonly #registry = new FinalizationRegistry<number>((id) => this.#stale.push(id));
  #nextId = 0;
  #closed = false;

  constructor(threads: number, module: object) {
    this.threads = threads;
    this.#module = module;
    for (let part = 1; part < threads; part++) {
      const { port1, port2 } = new MessageChannel();
      const workerData: WorkerData = {
        ints: this.#ints,
        args: this.#args,
        port: port2,
        part,
        parts: threads,
        kernels: gossipKernels,
        spins: SPINS,
      };
      const code = `const { workerData, receiveMessageOnPort } = require("node:worker_threads");
        (${workerMain.toString()})(workerData, receiveMessageOnPort);`;
      const worker = new Worker(code, { eval: true, workerData, transferList: [port2] });
      // A pool that is not closed does not keep the process alive.
      worker.unref();
      port1.unref();
      this.#workers.push({ worker, port: port1 });
    }
  }

  /** Kernels over new shared memory that every thread has, too. */
  create(bytes: number): Kernels<SharedArrayBuffer> {
    const kernels = createSharedKernels(this.#module, bytes);
    const arena = this.#nextId++;
    this.#ids.set(kernels, arena);
    this.#registry.register(kernels, arena);
    const release = this.#stale;
    this.#stale = [];
    for (const { port } of this.#workers) {
      port.postMessage({ arena, module: this.#module, memory: kernels.memory, release });
    }
    this.#fork(ATTACH);
    this.#join();
    return kernels;
  }

  run(arena: Arena, step: Step): void {
    if (this.#closed) throw new Error("this pool of threads is closed");
    if (this.threads === 1 || step.numbers < FEW_NUMBERS) {
      oneThread.run(arena, step);
      return;
    }
    const size = arena.type === "float64" ? 64 : 32;
    const ints = this.#ints;
    ints[3] = size;
    ints[4] = this.#ids.get(arena.kernels) ?? -1;
    ints[5] = step.items;
    ints[6] = step.args.length;
    this.#args.set(step.args);
    this.#fork(gossipKernels.indexOf(step.kernel));
    const mine = Math.floor(step.items / this.threads);
    if (mine > 0) callGossip(arena.kernels.call, arena.type, step, 0, 0, mine);
    this.#join();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#fork(CLOSE);
    for (const { port } of this.#workers) port.close();
    await Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
  }

  #fork(command: number): void {
    this.#ints[2] = command;
    Atomics.store(this.#ints, 1, this.#workers.length);
    Atomics.add(this.#ints, 0, 1);
    Atomics.notify(this.#ints, 0);
  }

  #join(): void {
    for (let spin = 0; ; spin++) {
      const working = Atomics.load(this.#ints, 1);
      if (working === 0) break;
      if (spin > SPINS) Atomics.wait(this.#ints, 1, working);
    }
    if (Atomics.exchange(this.#ints, 7, 0) > 0) throw new Error("a thread of the pool failed");
  }
}
