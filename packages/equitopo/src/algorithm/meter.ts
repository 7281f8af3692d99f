/**
 * What a run costs in messages, bytes and simulated seconds.
 *
 * In an exchange a node sends one message to each peer; of the nodes, the busiest counts. Seconds follow the
 * latency-bandwidth model: a message takes alpha + beta bytes, a node sends its messages one after another, and an
 * exchange is over when the busiest node is. An all-reduce of V bytes is a ring's: 2 (n - 1) messages of V / n bytes.
 */

import { forEachEdge, type Round } from "../round/round.ts";

/** Seconds of a message: alpha + beta x bytes. */
export interface Latency {
  readonly alpha: number;
  readonly beta: number;
}

/** 100 microseconds and 1 Gbit/s: an ordinary local network. */
export const localNetwork: Latency = { alpha: 1e-4, beta: 8e-9 };

/** How many peers each node sends to: one number where all are alike. */
type Degrees = number | Int32Array;

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
  #lastDegrees: Degrees = 0;

  constructor(n: number, latency: Latency = localNetwork) {
    this.#n = n;
    this.#latency = latency;
  }

  /** Every node sent a message of so many bytes to each peer that it has in this round. */
  exchange(round: Round, bytes: number): void {
    if (round !== this.#lastRound) {
      this.#lastRound = round;
      this.#lastDegrees = sendDegrees(round);
    }
    const degrees = this.#lastDegrees;
    let busiest = 0;
    if (typeof degrees === "number") {
      busiest = degrees;
      this.#sharedBytes += degrees * bytes;
      this.#sharedMessages += degrees;
    } else {
      this.#bytes ??= new Float64Array(this.#n);
      this.#messages ??= new Float64Array(this.#n);
      for (let i = 0; i < this.#n; i++) {
        busiest = Math.max(busiest, degrees[i]);
        this.#bytes[i] += degrees[i] * bytes;
        this.#messages[i] += degrees[i];
      }
    }
    this.#seconds += busiest * (this.#latency.alpha + this.#latency.beta * bytes);
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

function sendDegrees(round: Round): Degrees {
  if (round.kind === "circulant") return round.shifts.length;
  if (round.kind === "mean") return round.n - 1;
  const degrees = new Int32Array(round.n);
  forEachEdge(round, (from) => {
    degrees[from]++;
  });
  return degrees;
}
