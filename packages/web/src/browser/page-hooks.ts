/**
 * What a page must do for its connections. When it goes, it closes them itself: the others then hear of it within
 * milliseconds, and else after five seconds. While it trains it holds a lock by name, so that a copy of the tab, which has
 * the same memory of its seat, does not sit down on the same one; a held lock also speaks against freezing the tab.
 */

/** Calls `close` when the page goes; answers how to take that back. A page that is shown again from memory starts anew. */
export function whenPageGoes(close: () => void): () => void {
  const hide = () => close();
  // Its connections are closed for good: what is shown from memory would be a picture of a peer.
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload();
  };
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  return () => {
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
  };
}

/** Milliseconds to wait for a lock: a page that is reloaded may have to wait for itself. */
const patience = 1000;

/**
 * Takes the lock of this name and answers how to give it back; undefined where another tab holds it. Pages without locks
 * (plain http from another machine) go on without one.
 */
export async function holdLock(name: string): Promise<(() => void) | undefined> {
  // What the types promise is missing where the page is not a secure context.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return () => {};
  return await new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release));
    locks.request(name, { signal: AbortSignal.timeout(patience) }, held).catch(() => resolve(undefined));
  });
}
