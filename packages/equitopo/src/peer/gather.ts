/**
 * A meeting of all peers without a coordinator (dissemination barrier): in step k = 0, 1, ..., ceil(log2 n) - 1 every peer
 * sends a word to i + 2^k and waits for one from i - 2^k (mod n). Who has come through all steps has, through others,
 * heard of everybody. Used where a run begins and ends, never between its rounds.
 */

import type { Transport } from "./transport.ts";

/** Exchanges that a meeting of n takes. */
export function gatherSteps(n: number): number {
  return Math.ceil(Math.log2(Math.max(1, n)));
}

export interface GatherOptions {
  /** The number of its first exchange on the transport. */
  readonly first: number;
  /** Milliseconds for the whole of it; who has not come by then is not waited for. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Rounds that peers may be apart when nothing is wrong: n - 1 on the slowest graph, and some. */
export function usualLag(n: number): number {
  return Math.max(32, 2 * n);
}

/**
 * Meets the others. False where the network is found far beyond this meeting: then this peer is one that takes over a
 * number. Not far beyond proves nothing: others may have come through while our last words are still under way.
 */
export async function gather(transport: Transport, { first, timeout, signal }: GatherOptions): Promise<boolean> {
  const { rank, size } = transport;
  const steps = gatherSteps(size);
  const beyond = () => transport.reached > first + steps + 2 * usualLag(size);
  const deadline = performance.now() + timeout;
  const word = Float64Array.of(rank);
  for (let k = 0; k < steps; k++) {
    if (beyond()) return false;
    const left = Math.max(50, deadline - performance.now());
    const passed = new AbortController();
    const watch = setInterval(() => {
      if (beyond() || signal?.aborted) passed.abort();
    }, 20);
    try {
      const outcome = await transport.exchange({
        round: first + k,
        send: [{ peer: (rank + 2 ** k) % size, data: word.slice() }],
        receive: [{ peer: (rank - 2 ** k + size) % size, length: 1, type: "float64" }],
        timeout: left,
        signal: passed.signal,
      });
      outcome.release();
    } catch (error) {
      signal?.throwIfAborted();
      if (!passed.signal.aborted) throw error;
      return false;
    } finally {
      clearInterval(watch);
    }
  }
  return true;
}
