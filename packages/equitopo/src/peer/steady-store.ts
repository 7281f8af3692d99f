/**
 * Checkpoints where the place for them may fail: a disk is full, a share is away. That is no reason to end a peer, whose
 * training does not need them: it goes on, the trouble is told once, saving is tried again each time it is due, and it is
 * told when that works again. What was saved before stays, for a store saves all or nothing.
 */

import type { Store } from "./checkpoint.ts";

/**
 * A store whose `save` never rejects. O(1) beside the store's own work.
 *
 * @example
 * ```ts
 * import { steadyStore } from "equitopo/peer";
 * let full = true;
 * const store = {
 *   name: "peer.ckpt",
 *   load: async () => [],
 *   save: async () => {
 *     if (full) throw new Error("no space left");
 *   },
 * };
 * const told: string[] = [];
 * const steady = steadyStore(store, (text) => told.push(text));
 * await steady.save(Uint8Array.of(1));
 * await steady.save(Uint8Array.of(2));
 * full = false;
 * await steady.save(Uint8Array.of(3));
 * told.length // => 2
 * told[1] // => "peer.ckpt: saved again, after 2 checkpoints that could not be"
 * ```
 */
export function steadyStore(store: Store, tell: (text: string) => void): Store {
  let failed = 0;
  return {
    name: store.name,
    load: () => store.load(),
    async save(bytes) {
      try {
        await store.save(bytes);
      } catch (error) {
        failed++;
        const why = error instanceof Error ? error.message : String(error);
        if (failed === 1) tell(`${store.name}: not saved (${why}); training goes on, and saving is tried again`);
        return;
      }
      if (failed === 0) return;
      tell(`${store.name}: saved again, after ${failed} checkpoints that could not be`);
      failed = 0;
    },
  };
}
