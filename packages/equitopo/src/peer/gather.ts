/**
 * A meeting of all peers without a coordinator (dissemination): in step k = 0, 1, ..., ceil(log2 n) - 1 every peer sends all
 * that it knows to i + 2^k and waits for what i - 2^k (mod n) knows. Who has come through all steps has, through others,
 * heard everybody's word. Used where a run begins and ends, never between its rounds.
 *
 * That is so where all come. One that does not come leaves words of others untold, so where it must be known who is there
 * (an opening) the steps are done three times: forth, back (from i + 2^k) and forth. Then those that come hear of each
 * other whichever minority of n <= 11, or three of any n, is absent.
 *
 * Words are a few bytes, as many from everybody, and mean what their users make of them: whoever reads them checks them,
 * for they come from others, and through others. What is first heard of a peer stands.
 */

import { allocate, type Transport } from "./transport.ts";

/** Exchanges that a meeting of n takes in so many passes. */
export function gatherSteps(n: number, passes = 1): number {
  return passes * Math.ceil(Math.log2(Math.max(1, n)));
}

/** Passes of a meeting at which it must be known who is there. */
export const openingPasses = 3;

/** Rounds that peers may be apart when nothing is wrong: n - 1 on the slowest graph, and some. */
export function usualLag(n: number): number {
  return Math.max(32, 2 * n);
}

/** Bytes of a message in a meeting of n peers with words of so many bytes. */
export function gatherBytes(n: number, word: number): number {
  return n * (1 + word);
}

export interface GatherOptions {
  /** The number of its first exchange on the transport. */
  readonly first: number;
  /** Milliseconds for the whole of it; who has not come by then is not waited for. */
  readonly timeout: number;
  /** How often the steps are done; all peers must agree. Default once. */
  readonly passes?: number;
  /** What this peer brings along; all bring as many bytes. Default none. */
  readonly word?: Uint8Array;
  /** Whether a round that others have reached shows that the meeting is long over. */
  readonly over?: (reached: number) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told about once a second whom it is that is waited for. */
  readonly onWait?: ((peer: number) => void) | undefined;
}

export interface Meeting {
  /** False where it was over: then this peer is one that comes back, or takes over a number. */
  readonly met: boolean;
  /** What each peer brought; undefined of those whose word did not get here. */
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
  const begun = performance.now();
  let complained = begun;
  const known = new Words(size, word.length);
  known.put(rank, word);
  const [steps, turns] = [gatherSteps(size), gatherSteps(size, passes)];
  for (let k = 0; k < turns; k++) {
    const pass = Math.floor(k / steps);
    const stride = 2 ** (k % steps) * (pass % 2 === 0 ? 1 : -1);
    const [from, to] = [(rank - stride + size) % size, (rank + stride + size) % size];
    const past = new AbortController();
    const look = (): void => {
      const now = performance.now();
      // Others that are a pass ahead have given up whom this peer waits for.
      const behind = passes > 1 && transport.reached >= first + k + steps;
      if (behind || over(transport.reached) || signal?.aborted) past.abort();
      if (now - begun >= patience) transport.overhear?.();
      if (now - complained < complaint) return;
      complained = now;
      onWait?.(from);
    };
    const late = over(transport.reached);
    const waits = pass === 0 || !late;
    const watch = late ? undefined : setInterval(look, 20);
    try {
      const { arrived, release } = await transport.exchange({
        round: first + k,
        send: [{ peer: to, data: known.bytes.slice() }],
        receive: waits ? [{ peer: from, length: known.bytes.length, type: "uint8" }] : [],
        timeout: late ? hurry : Math.max(hurry, timeout * until(k, steps, turns) - (performance.now() - begun)),
        signal: past.signal,
      });
      const heard = allocate("uint8", known.bytes.length) as Uint8Array;
      if (arrived[0] !== undefined) heard.set(arrived[0] as Uint8Array);
      // Where the memory changed while it was read, nothing was heard.
      if (release().length === 0) known.add(heard);
    } catch (error) {
      signal?.throwIfAborted();
      if (!past.signal.aborted) throw error;
    } finally {
      clearInterval(watch);
    }
  }
  const words = known.all();
  return { met: words.every((one) => one !== undefined) || !over(transport.reached), words };
}

/**
 * When step k ends for one who waits for somebody that does not come, as a share of the timeout: before the next one, so
 * that its letters are in time for those that wait for it. Half of it is for the first pass, the rest for later ones: who
 * was started later is later in everything.
 */
function until(k: number, steps: number, turns: number): number {
  const early = Math.min(1, steps / turns + 1 / 6);
  return k < steps
    ? early * (1 - (steps - 1 - k) / (4 * steps))
    : early + ((1 - early) * (k - steps + 1)) / (turns - steps);
}

/** What is known of everybody's word: for each peer a byte that is 1 where it is, and the word. */
class Words {
  readonly bytes: Uint8Array;
  readonly #size: number;
  readonly #length: number;

  constructor(size: number, length: number) {
    this.#size = size;
    this.#length = length;
    this.bytes = new Uint8Array(gatherBytes(size, length));
  }

  put(peer: number, word: Uint8Array): void {
    const at = gatherBytes(peer, this.#length);
    this.bytes[at] = 1;
    this.bytes.set(word, at + 1);
  }

  #of(bytes: Uint8Array, peer: number): Uint8Array | undefined {
    const at = gatherBytes(peer, this.#length);
    return bytes[at] === 1 ? bytes.subarray(at + 1, at + 1 + this.#length) : undefined;
  }

  /** What is not known yet. */
  add(heard: Uint8Array): void {
    for (let peer = 0; peer < this.#size; peer++) {
      const word = this.#of(heard, peer);
      if (word !== undefined && this.#of(this.bytes, peer) === undefined) this.put(peer, word);
    }
  }

  all(): (Uint8Array | undefined)[] {
    return Array.from({ length: this.#size }, (_, peer) => this.#of(this.bytes, peer)?.slice());
  }
}
