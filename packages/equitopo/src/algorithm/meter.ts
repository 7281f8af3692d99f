/**
 * What a run costs in messages, bytes and simulated seconds: the one place where they are counted.
 *
 * In an exchange a node sends one message to each peer; the busiest node counts. A dropped message was sent; a node that is
 * down sends none. Seconds follow the model of faults/latency.ts. An all-reduce of V bytes is that of a ring: 2 (n - 1)
 * messages of V / n bytes.
 *
 * If nodes are in groups (a hierarchy), the messages of one group to others are counted apart: the bytes between machines. Of
 * a ring's all-reduce these are the messages from one group to the next.
 */

import { groupedSeconds, type Latency, roundSeconds } from "../faults/latency.ts";
import { defined } from "../input/input.ts";
import { type Groups, leaderOf } from "../round/groups.ts";
import { messagesBetween, messagesOf } from "../round/messages.ts";
import type { GroupedRound, Round } from "../round/round.ts";

/** 100 microseconds and 1 Gbit/s: an ordinary local network. */
export const localNetwork: Latency = { alpha: 1e-4, beta: 8e-9 };

/** Sent so far, as counted by a simulation's meter or by real peers. */
export interface Counted {
  readonly bytes: number;
  readonly messages: number;
  readonly seconds: number;
  /** By the group that sent most to others, if nodes are in groups. */
  readonly between?: number | undefined;
}

/** Counts a run: call it for every exchange, and read what the busiest node sent. */
export class Meter {
  readonly #n: number;
  readonly #latency: Latency;
  readonly #seed: number;
  /** Per node, kept only if nodes differ; what all send alike is in `totals`. */
  #bytes: Float64Array | undefined;
  #messages: Float64Array | undefined;
  /** Bytes and messages that all nodes sent alike, and seconds. */
  readonly #totals = new Float64Array(3);
  /** Bytes that each group sent to others; undefined if there are no groups. */
  readonly #between: Float64Array | undefined;
  /** A static topology has one round for ever, so the last one is remembered. */
  #lastRound: Round | undefined;
  #lastDegrees: number | Int32Array = 0;

  /** The seed is that of stragglers; the groups are those of a hierarchy. */
  constructor(n: number, latency: Latency = localNetwork, seed = 0, groups?: Groups) {
    this.#n = n;
    this.#between = groups && new Float64Array(groups.count);
    this.#latency = latency;
    this.#seed = seed;
  }

  /** In exchange t every node that is not down sent so many bytes to each peer that it has in this round. */
  exchange(round: Round, bytes: number, t: number, down?: Uint8Array): void {
    // The leaders of groups, who send more, change with every exchange.
    if (round !== this.#lastRound || round.kind === "grouped") {
      this.#lastRound = round;
      this.#lastDegrees = messagesOf(round, t);
    }
    const degrees = this.#lastDegrees;
    if (typeof degrees === "number" && down === undefined) {
      this.#totals[0] += degrees * bytes;
      this.#totals[1] += degrees;
      const { alpha, beta, delays, straggler } = this.#latency;
      if (delays === undefined && straggler === undefined) {
        this.#totals[2] += degrees * (alpha + beta * bytes);
        return;
      }
    }
    const messages = (j: number) => (down?.[j] === 1 ? 0 : typeof degrees === "number" ? degrees : degrees[j]);
    if (typeof degrees !== "number" || down !== undefined) {
      this.#bytes ??= new Float64Array(this.#n);
      this.#messages ??= new Float64Array(this.#n);
      for (let i = 0; i < this.#n; i++) {
        this.#bytes[i] += messages(i) * bytes;
        this.#messages[i] += messages(i);
      }
    }
    if (round.kind === "grouped") this.#grouped(round, bytes, t, (j) => down?.[j] === 1);
    else this.#totals[2] += roundSeconds(this.#latency, this.#n, this.#seed, t, bytes, messages);
  }

  /** Messages between groups, and the three steps of a grouped round. */
  #grouped(round: GroupedRound, bytes: number, t: number, isDown: (j: number) => boolean): void {
    const { groups } = round;
    const out = messagesBetween(round);
    for (let g = 0; g < groups.count && this.#between !== undefined; g++) {
      if (!isDown(leaderOf(groups, g, t))) this.#between[g] += out[g] * bytes;
    }
    this.#totals[2] += groupedSeconds(this.#latency, round, this.#seed, t, bytes, isDown);
  }

  /** All nodes averaged so many bytes each. */
  allReduce(bytes: number): void {
    const messages = 2 * (this.#n - 1);
    const size = bytes / this.#n;
    this.#totals[0] += messages * size;
    this.#totals[1] += messages;
    this.#totals[2] += messages * (this.#latency.alpha + this.#latency.beta * size);
    if (this.#between !== undefined && this.#between.length > 1) {
      for (let g = 0; g < this.#between.length; g++) this.#between[g] += messages * size;
    }
  }

  /** Bytes that the node which sent most of them sent so far. */
  get bytes(): number {
    return this.#totals[0] + largest(this.#bytes);
  }

  /** Bytes that one node sent so far. */
  bytesOf(node: number): number {
    return this.#totals[0] + (this.#bytes?.[node] ?? 0);
  }

  /** Bytes sent to other groups so far by the group that sent most; undefined if there are no groups. */
  get between(): number | undefined {
    return this.#between && largest(this.#between);
  }

  /** Messages that the node which sent most of them sent so far. */
  get messages(): number {
    return this.#totals[1] + largest(this.#messages);
  }

  get seconds(): number {
    return this.#totals[2];
  }

  /** A copy of the counts so far. */
  get counted(): Counted {
    const { bytes, messages, seconds, between } = this;
    return { bytes, messages, seconds, between };
  }

  /** All that a checkpoint must hold of it: copies. */
  state(): Record<string, Float64Array> {
    return defined({
      totals: this.#totals.slice(),
      between: this.#between?.slice(),
      bytes: this.#bytes?.slice(),
      messages: this.#messages?.slice(),
    });
  }

  /** Continues from the state of another meter. */
  restore({ totals, bytes, messages, between }: Readonly<Record<string, Float64Array>>): void {
    this.#totals.set(totals);
    if (between !== undefined) this.#between?.set(between);
    this.#bytes = bytes?.slice();
    this.#messages = messages?.slice();
  }
}

const largest = (counts: Float64Array | undefined): number =>
  counts === undefined ? 0 : counts.reduce((most, count) => Math.max(most, count), 0);
