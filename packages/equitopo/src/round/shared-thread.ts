/** What a thread does of a round: part k of `threads` parts of one kernel's items. */

import { callGossip, type GossipCall, gossipKernels } from "../kernel/gossip-calls.ts";
import type { KernelExports } from "../kernel/instance.ts";
import type { Work } from "./crew.ts";

/** What the threads of one memory are given. */
export interface SharedKernels {
  readonly module: object;
  readonly memory: object;
  readonly threads: number;
}

declare const WebAssembly: {
  Instance: new (module: object, imports: object) => { exports: object };
};

/** The command is twice the kernel's number, and one more for doubles; args: items, then the kernel's own. */
export function partOf(exports: KernelExports, threads: number): Work {
  return (command, part, [items, ...args]) => {
    const call = { kernel: gossipKernels[command >> 1], args: args as readonly number[] } as GossipCall;
    const lo = Math.floor((items * part) / threads);
    const hi = Math.floor((items * (part + 1)) / threads);
    if (hi > lo) callGossip(exports, command & 1 ? "float64" : "float32", call, part, lo, hi);
  };
}

export default function work({ module, memory, threads }: SharedKernels): Work {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return partOf(exports as KernelExports, threads);
}
