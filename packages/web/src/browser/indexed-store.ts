/**
 * A peer's checkpoints in a browser: the last two, in IndexedDB, under a name (room and seat). Both are one
 * entry, written in one transaction, so a tab that dies while it saves leaves what was there before. Works in pages and
 * in their workers.
 */

import type { Store } from "equitopo/peer";

const database = "equitopo";
const checkpoints = "checkpoints";

/** The newest first. */
interface Kept {
  readonly place: string;
  readonly last: readonly Uint8Array[];
  /** Milliseconds since 1970: old entries are removed. */
  readonly at: number;
}

/** Days after which a seat that nobody came back to is forgotten. */
const keptDays = 30;

/**
 * The store of one place. O(bytes) a save; what is older than 30 days, of any place, is removed when it is opened.
 *
 * @example
 * ```ts no-run
 * import { indexedStore } from "@equitopo/web";
 * const store = indexedStore("a room, seat 3");
 * await store.save(Uint8Array.of(1, 2, 3));
 * (await store.load()).length // => 1
 * ```
 */
export function indexedStore(place: string): Store {
  const opened = open();
  return {
    name: `the checkpoint of ${place} in this browser`,
    async load() {
      const request = (await opened).transaction(checkpoints).objectStore(checkpoints).get(place);
      return ((await answer(request)) as Kept | undefined)?.last ?? [];
    },
    async save(bytes) {
      await change(await opened, async (store) => {
        const before = (await answer(store.get(place))) as Kept | undefined;
        // A copy of its own: what is stored with a view is the whole memory under it.
        const kept: Kept = { place, last: [bytes.slice(), ...(before?.last ?? [])].slice(0, 2), at: Date.now() };
        store.put(kept);
      });
    },
  };
}

/** Removes what a place has kept: its run is over, or the person has left. */
export async function forgetPlace(place: string): Promise<void> {
  await change(await open(), (store) => store.delete(place));
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(checkpoints, { keyPath: "place" }).createIndex("at", "at");
  };
  const opened = await answer(request);
  // Another tab with a newer version of the page may want to change the database.
  opened.onversionchange = () => opened.close();
  await change(opened, (store) => {
    const cursor = store.index("at").openCursor(IDBKeyRange.upperBound(Date.now() - keptDays * 86_400_000));
    cursor.onsuccess = () => {
      cursor.result?.delete();
      cursor.result?.continue();
    };
  });
  return opened;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** One transaction, which counts once it is complete; a full disk shows here. */
async function change(opened: IDBDatabase, run: (store: IDBObjectStore) => unknown): Promise<void> {
  const transaction = opened.transaction(checkpoints, "readwrite", { durability: "strict" });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser refused to store a checkpoint"));
  });
  await run(transaction.objectStore(checkpoints));
  await done;
}
