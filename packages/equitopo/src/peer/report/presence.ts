/**
 * Which peers are gone and which came back, as one of them sees it between two iterations: from what its transport knows of
 * them, or, where that knows nothing, from vectors that were missed three times running. Pure.
 */

/** gone: not reached any more; back: heard again; rejoined: heard again after its program was started anew. */
export type PresenceKind = "gone" | "back" | "rejoined";

export interface Presence {
  readonly what: PresenceKind;
  readonly peer: number;
}

/** What a transport knows of a peer: whether it is gone, if it can say, and how often it was started again. */
export interface Seen {
  readonly gone: boolean | undefined;
  readonly starts: number;
}

const inVain = 3;
/** Peers that are looked at beside the partners: the next so many each time, so that a large network costs no more. */
const others = 64;

export function presenceOf(size: number, seen: (peer: number) => Seen) {
  const missed = new Int32Array(size);
  const starts = new Int32Array(size);
  const gone = new Set<number>();
  let next = 0;

  function changeOf(peer: number): PresenceKind | undefined {
    const now = seen(peer);
    if (now.gone ?? missed[peer] >= inVain) {
      if (gone.has(peer)) return undefined;
      gone.add(peer);
      return "gone";
    }
    const again = now.starts > starts[peer];
    starts[peer] = now.starts;
    if (!gone.delete(peer) && !again) return undefined;
    return again ? "rejoined" : "back";
  }

  /** What has changed since the last call, by the partners of an iteration and those whose vectors did not come. */
  return (partners: readonly number[], missing: readonly number[]): Presence[] => {
    for (const peer of partners) missed[peer] = missing.includes(peer) ? missed[peer] + 1 : 0;
    const looked = new Set(partners);
    for (let k = Math.min(size, others); k > 0; k--) looked.add(next++ % size);
    return [...looked]
      .sort((a, b) => a - b)
      .flatMap((peer): Presence[] => {
        const what = changeOf(peer);
        return what === undefined ? [] : [{ what, peer }];
      });
  };
}
