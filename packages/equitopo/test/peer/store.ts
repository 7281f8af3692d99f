/** Checkpoints in memory, for tests: the last two. */

import type { Store } from "../../src/peer/course/checkpoint.ts";

export function memoryStore(): Store {
  let kept: Uint8Array[] = [];
  return {
    name: "a checkpoint in memory",
    load: async () => kept,
    save: async (bytes) => {
      kept = [bytes, ...kept].slice(0, 2);
    },
  };
}
