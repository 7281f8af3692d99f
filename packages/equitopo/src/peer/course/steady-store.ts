/**
 * Checkpoints in a store that may fail: a disk is full, a network drive is not there. That is no reason to end a peer, since
 * training does not need checkpoints: the peer goes on, reports the trouble once, tries again each time a checkpoint is due,
 * and reports its success too. What was saved before stays, since a store saves all or nothing.
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
 * const reports: string[] = [];
 * const steady = steadyStore(store, (text) => reports.push(text));
 * await steady.save(Uint8Array.of(1));
 * await steady.save(Uint8Array.of(2));
 * full = false;
 * await steady.save(Uint8Array.of(3));
 * reports.length // => 2
 * reports[1] // => "peer.ckpt: saved again, after 2 checkpoints that could not be"
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
