/**
 * What a thread of the pool does: wait for a step, do its share, say so. It is handed over as text (see pool.ts), so it
 * uses nothing but its argument and the engine's globals.
 *
 * ints: generation, threads still at work, command, type of rows, arena, items, number of arguments, failures.
 */

/** Commands beside the index of a kernel. */
export const ATTACH = -1;
export const CLOSE = -2;

export interface WorkerData {
  readonly ints: Int32Array;
  readonly args: Float64Array;
  readonly port: object;
  readonly part: number;
  readonly parts: number;
  readonly kernels: readonly string[];
  readonly spins: number;
}

interface Attachment {
  readonly arena: number;
  readonly module: object;
  readonly memory: object;
  readonly release: readonly number[];
}

declare const WebAssembly: {
  Instance: new (module: object, imports: object) => { exports: Record<string, (...args: number[]) => void> };
};

export function workerMain(
  { ints, args, port, part, parts, kernels, spins }: WorkerData,
  receive: (port: object) => { message: Attachment } | undefined,
): void {
  const arenas = new Map<number, Record<string, (...args: number[]) => void>>();
  let seen = 0;
  for (;;) {
    // The next step of a run of rounds comes within microseconds: look for it before going to sleep.
    for (let spin = 0; Atomics.load(ints, 0) === seen; spin++) if (spin > spins) Atomics.wait(ints, 0, seen);
    seen = Atomics.load(ints, 0);
    const command = ints[2];
    if (command === -2) return;
    try {
      if (command === -1) {
        const attachment = receive(port)?.message;
        if (attachment === undefined) throw new Error("nothing to attach");
        const { arena, module, memory, release } = attachment;
        for (const old of release) arenas.delete(old);
        arenas.set(arena, new WebAssembly.Instance(module, { env: { memory } }).exports);
      } else {
        const items = ints[5];
        const lo = Math.floor((items * part) / parts);
        const hi = Math.floor((items * (part + 1)) / parts);
        const call = arenas.get(ints[4])?.[kernels[command] + ints[3]];
        if (call === undefined) throw new Error("no such kernel");
        if (hi > lo) call(...args.subarray(0, ints[6]), part, lo, hi);
      }
    } catch {
      Atomics.add(ints, 7, 1);
    }
    if (Atomics.sub(ints, 1, 1) === 1) Atomics.notify(ints, 1);
  }
}
