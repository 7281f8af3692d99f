/**
 * What a run costs in messages, bytes and simulated seconds.
 *
 * In an exchange a node sends one message to each peer; of the nodes, the busiest counts. Seconds follow the model of
 * faults/latency.ts. An all-reduce of V bytes is a ring's: 2 (n - 1) messages of V / n bytes.
 */

import { type Latency, roundSeconds } from "../faults/latency.ts";
import { messagesOf } from "../round/messages.ts";
import type { Round } from "../round/round.ts";

/** 100 microseconds and 1 Gbit/s: an ordinary local network. */
export const localNetwork: Latency = { alpha: 1e-4, beta: 8e-9 };

export class Meter {
  readonly #n: number;
  readonly #latency: Latency;
  /** Per node, counted only once nodes differ; what they share is in the two numbers. */
  #bytes: Float64Array | undefined;
  #messages: Float64Array | undefined;
  #sharedBytes = 0;
  #sharedMessages = 0;
  #seconds = 0;
  /** A static topology hands out one round again and again. */
  #lastRound: Round | undefined;
  #lastDegrees: number | Int32Array = 0;
  readonly #seed: number;

  /** The seed is that of stragglers. */
  constructor(n: number, latency: Latency = localNetwork, seed = 0) {
    this.#n = n;
    this.#latency = latency;
    this.#seed = seed;
  }

  /** In iteration t every node sent a message of so many bytes to each peer that it has in this round. */
  exchange(round: Round, bytes: number, t: number): void {
    if (round !== this.#lastRound) {
      this.#lastRound = round;
      this.#lastDegrees = messagesOf(round);
    }
    const degrees = this.#lastDegrees;
    if (typeof degrees === "number") {
      this.#sharedBytes += degrees * bytes;
      this.#sharedMessages += degrees;
    } else {
      this.#bytes ??= new Float64Array(this.#n);
      this.#messages ??= new Float64Array(this.#n);
      for (let i = 0; i < this.#n; i++) {
        this.#bytes[i] += degrees[i] * bytes;
        this.#messages[i] += degrees[i];
      }
    }
    const messages = (j: number) => (typeof degrees === "number" ? degrees : degrees[j]);
    this.#seconds += roundSeconds(this.#latency, this.#n, this.#seed, t, bytes, messages);
  }

  /** All nodes averaged so many bytes each. */
  allReduce(bytes: number): void {
    const messages = 2 * (this.#n - 1);
    const size = bytes / this.#n;
    this.#sharedBytes += messages * size;
    this.#sharedMessages += messages;
    this.#seconds += messages * (this.#latency.alpha + this.#latency.beta * size);
  }

  /** Bytes that the node which sent most of them sent so far. */
  get bytes(): number {
    return this.#sharedBytes + largest(this.#bytes);
  }

  /** Messages that the node which sent most of them sent so far. */
  get messages(): number {
    return this.#sharedMessages + largest(this.#messages);
  }

  get seconds(): number {
    return this.#seconds;
  }
}

function largest(counts: Float64Array | undefined): number {
  return counts === undefined ? 0 : counts.reduce((most, count) => Math.max(most, count), 0);
}
