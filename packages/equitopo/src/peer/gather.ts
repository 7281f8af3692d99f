/**
 * A meeting of all peers without a coordinator (dissemination barrier): in step k = 0, 1, ..., ceil(log2 n) - 1 every peer
 * sends a number to i + 2^k and waits for one from i - 2^k (mod n). Who has come through all steps has, through others,
 * heard of everybody, and knows the greatest of all numbers. Used where a run begins and ends, never between its rounds.
 */

import type { Transport } from "./transport.ts";

/** Exchanges that a meeting of n takes. */
export function gatherSteps(n: number): number {
  return Math.ceil(Math.log2(Math.max(1, n)));
}

/** Rounds that peers may be apart when nothing is wrong: n - 1 on the slowest graph, and some. */
export function usualLag(n: number): number {
  return Math.max(32, 2 * n);
}

export interface GatherOptions {
  /** The number of its first exchange on the transport. */
  readonly first: number;
  /** Milliseconds for the whole of it; who has not come by then is not waited for. */
  readonly timeout: number;
  /** What this peer brings along. */
  readonly value?: number;
  /** Whether a round that others have reached shows that the meeting is long over. */
  readonly over?: (reached: number) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Meeting {
  /** False where it was over: then this peer is one that comes back, or takes over a number. */
  readonly met: boolean;
  readonly greatest: number;
}

/** Milliseconds: for a step of a meeting that is over, and until everybody is listened to. */
const [hurry, patience] = [50, 1000];

/**
 * Meets the others. A peer that finds the meeting over still sends all its numbers: others that are as late as itself
 * may wait for them.
 */
export async function gather(transport: Transport, options: GatherOptions): Promise<Meeting> {
  const { first, timeout, value = 0, over = () => false, signal } = options;
  const { rank, size } = transport;
  const begun = performance.now();
  let greatest = value;
  for (let k = 0; k < gatherSteps(size); k++) {
    const past = new AbortController();
    const look = (): void => {
      if (over(transport.reached) || signal?.aborted) past.abort();
      if (performance.now() - begun >= patience) transport.overhear?.();
    };
    const late = over(transport.reached);
    const watch = late ? undefined : setInterval(look, 20);
    try {
      const { arrived, release } = await transport.exchange({
        round: first + k,
        send: [{ peer: (rank + 2 ** k) % size, data: Float64Array.of(greatest) }],
        receive: [{ peer: (rank - 2 ** k + size) % size, length: 1, type: "float64" }],
        timeout: late ? hurry : Math.max(hurry, timeout - (performance.now() - begun)),
        signal: past.signal,
      });
      greatest = Math.max(greatest, arrived[0]?.[0] ?? greatest);
      release();
    } catch (error) {
      signal?.throwIfAborted();
      if (!past.signal.aborted) throw error;
    } finally {
      clearInterval(watch);
    }
  }
  return { met: !over(transport.reached), greatest };
}
