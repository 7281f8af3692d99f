/**
 * A meeting of all peers without a coordinator (dissemination): in step k = 0, 1, ..., ceil(log2 n) - 1 every peer sends all
 * that it knows to i + 2^k and waits for what i - 2^k (mod n) knows. After all steps a peer has heard everybody's word,
 * directly or through others. Used where a run begins and ends, never between its rounds.
 *
 * This holds if all come. A peer that does not come also fails to pass on the words of others. So where it must be known who is
 * there (an opening), the steps are done three times: forth, back (from i + 2^k) and forth. Then all that come hear of each
 * other, whichever minority of n <= 11, or three of any n, is absent.
 *
 * Words are a few bytes, as many from everybody. Their readers must check them, since they come from and through others.
 */

import { runtimeClock } from "../exchange/runtime.ts";
import type { Transport } from "../exchange/transport.ts";

/** Exchanges that a meeting of n takes in so many passes. */
export function gatherSteps(n: number, passes = 1): number {
  return passes * Math.ceil(Math.log2(Math.max(1, n)));
}

/** Passes of a meeting at which it must be known who is there. */
export const openingPasses = 3;

/** Bytes of a message in a meeting of n peers with words of so many bytes. */
export function gatherBytes(n: number, word: number): number {
  return n * (1 + word);
}

export interface GatherOptions {
  /** The number of its first exchange on the transport. */
  readonly first: number;
  /** Milliseconds for the whole meeting; peers that have not come by then are not waited for. */
  readonly timeout: number;
  /** How often the steps are done; all peers must agree. Default once. */
  readonly passes?: number;
  /** What this peer brings along; all bring as many bytes. Default none. */
  readonly word?: Uint8Array;
  /** Whether a round that others have reached shows that the meeting is long over. */
  readonly over?: (reached: number) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called about once a second with the peer that is waited for. */
  readonly onWait?: ((peer: number) => void) | undefined;
}

export interface Meeting {
  /** False if the meeting was over: then this peer comes back, or takes over a number. */
  readonly met: boolean;
  /** What each peer brought; undefined if its word did not arrive. */
  readonly words: readonly (Uint8Array | undefined)[];
}

/** Milliseconds: for a step of a meeting that is over, until everybody is listened to, and between two complaints. */
const [hurry, patience, complaint] = [50, 1000, 1000];

/**
 * Meets the others. A peer that finds the meeting over still sends all that it knows: others that are as late as itself
 * may wait for it. O(log n) messages of n words.
 */
export async function gather(transport: Transport, options: GatherOptions): Promise<Meeting> {
  const { first, timeout, passes = 1, word = new Uint8Array(0), over = () => false, signal, onWait } = options;
  const { rank, size } = transport;
  const { clock = runtimeClock } = transport;
  const begun = clock.now();
  let complained = begun;
  const words = Array.from({ length: size }, (_, peer) => (peer === rank ? word : undefined));
  const [steps, turns] = [gatherSteps(size), gatherSteps(size, passes)];
  for (let k = 0; k < turns; k++) {
    const pass = Math.floor(k / steps);
    const stride = 2 ** (k % steps) * (pass % 2 === 0 ? 1 : -1);
    const [from, to] = [(rank - stride + size) % size, (rank + stride + size) % size];
    const past = new AbortController();
    let rest = () => {};
    const look = (): void => {
      rest = clock.after(20, look);
      const now = clock.now();
      // Others that are a pass ahead no longer wait for the peer that this one waits for.
      const behind = passes > 1 && transport.reached >= first + k + steps;
      if (behind || over(transport.reached) || signal?.aborted) past.abort();
      if (now - begun >= patience) transport.overhear?.();
      if (now - complained < complaint) return;
      complained = now;
      onWait?.(from);
    };
    const late = over(transport.reached);
    const waits = pass === 0 || !late;
    if (!late) rest = clock.after(20, look);
    const data = packWords(words, word.length);
    try {
      const { arrived, release } = await transport.exchange({
        round: first + k,
        send: [{ peer: to, data }],
        receive: waits ? [{ peer: from, length: data.length, type: "uint8" }] : [],
        timeout: late ? hurry : Math.max(hurry, timeout * until(k, steps, turns) - (clock.now() - begun)),
        signal: past.signal,
      });
      const heard = arrived[0]?.slice() as Uint8Array | undefined;
      // If the memory changed while it was read, nothing was heard. What is first heard of a peer stays.
      if (release().length === 0 && heard !== undefined) {
        for (let peer = 0; peer < size; peer++) words[peer] ??= wordIn(heard, peer, word.length);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!past.signal.aborted) throw error;
    } finally {
      rest();
    }
  }
  return { met: words.every((one) => one !== undefined) || !over(transport.reached), words };
}

/**
 * When step k ends for a peer that waits in vain, as a share of the timeout: before the next step, so that its letters reach
 * those that wait for it in time. Half of the timeout is for the first pass, because peers start at different times.
 */
function until(k: number, steps: number, turns: number): number {
  const early = Math.min(1, steps / turns + 1 / 6);
  return k < steps
    ? early * (1 - (steps - 1 - k) / (4 * steps))
    : early + ((1 - early) * (k - steps + 1)) / (turns - steps);
}

/** Everybody's word as one message: for each peer a byte that is 1 if its word is known, then the word. */
function packWords(words: readonly (Uint8Array | undefined)[], length: number): Uint8Array {
  const bytes = new Uint8Array(gatherBytes(words.length, length));
  words.forEach((word, peer) => {
    if (word !== undefined) bytes.set([1, ...word], gatherBytes(peer, length));
  });
  return bytes;
}

/** The word of a peer in such a message. */
function wordIn(bytes: Uint8Array, peer: number, length: number): Uint8Array | undefined {
  const at = gatherBytes(peer, length);
  return bytes[at] === 1 ? bytes.slice(at + 1, at + 1 + length) : undefined;
}
