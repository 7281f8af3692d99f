/**
 * A peer's checkpoints in a browser: the last two, in IndexedDB, under the name of a place (room and seat). Both are one
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
  /** Milliseconds since 1970: what nobody came back for is told by its age. */
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
      return (await keptAt(await opened, place))?.last ?? [];
    },
    async save(bytes) {
      const transaction = (await opened).transaction(checkpoints, "readwrite", { durability: "strict" });
      const store = transaction.objectStore(checkpoints);
      const done = ended(transaction);
      const before = (await answer(store.get(place))) as Kept | undefined;
      // A copy of its own: what is stored with a view is the whole memory under it.
      const kept: Kept = { place, last: [bytes.slice(), ...(before?.last ?? [])].slice(0, 2), at: Date.now() };
      store.put(kept);
      await done;
    },
  };
}

/** Removes what a place has kept: its run is over, or the person has left. */
export async function forgetPlace(place: string): Promise<void> {
  const transaction = (await open()).transaction(checkpoints, "readwrite");
  const done = ended(transaction);
  transaction.objectStore(checkpoints).delete(place);
  await done;
}

async function keptAt(opened: IDBDatabase, place: string): Promise<Kept | undefined> {
  return await answer(opened.transaction(checkpoints).objectStore(checkpoints).get(place));
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(checkpoints, { keyPath: "place" }).createIndex("at", "at");
  };
  const opened = await answer(request);
  // Another tab with a newer version of the page may want to change the database.
  opened.onversionchange = () => opened.close();
  const transaction = opened.transaction(checkpoints, "readwrite");
  const done = ended(transaction);
  const old = IDBKeyRange.upperBound(Date.now() - keptDays * 86_400_000);
  const cursor = transaction.objectStore(checkpoints).index("at").openCursor(old);
  cursor.onsuccess = () => {
    cursor.result?.delete();
    cursor.result?.continue();
  };
  await done;
  return opened;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A transaction counts once it is complete; a full disk is told here. */
function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser refused to store a checkpoint"));
  });
}
