/**
 * What rounds cost on a network: the meter's own count of what nodes send, and its model of time (a message of b bytes
 * takes alpha + beta b seconds, a node sends one after another, a round waits for the busiest node; an all-reduce of V
 * bytes is a ring's, 2 (n - 1) messages of V / n bytes one after another). Many rounds are counted over the first ones
 * and scaled up.
 */

import { Meter } from "../algorithm/meter.ts";
import type { Latency } from "../faults/latency.ts";
import type { Topology } from "../topology/topology.ts";

export interface Network {
  /** Bytes of one vector. */
  readonly modelBytes: number;
  /** Seconds a message. */
  readonly latency: number;
  /** Bytes a second. */
  readonly bandwidth: number;
}

export interface Cost {
  /** Sent by the node that sends most. */
  readonly bytes: number;
  readonly seconds: number;
}

/** Rounds that are counted one by one; a period beyond it is rare. */
const COUNTED = 64;

const asLatency = ({ latency, bandwidth }: Network): Latency => ({ alpha: latency, beta: 1 / bandwidth });

/** The cost of so many rounds, each of `vectors` vectors in one message to every peer. O(min(rounds, 64) n degree). */
export function costOfRounds(topology: Topology, rounds: number, network: Network, vectors = 1): Cost {
  if (rounds === Number.POSITIVE_INFINITY) return { bytes: rounds, seconds: rounds };
  const { n, period = COUNTED } = topology;
  // Whole periods where they are short, so that scaling does not favour their cheap beginning.
  const counted = Math.min(rounds, period >= COUNTED ? COUNTED : period * Math.floor(COUNTED / period));
  const meter = new Meter(n, asLatency(network));
  for (let t = 0; t < counted; t++) meter.exchange(topology.round(t), vectors * network.modelBytes, t);
  const scale = counted === 0 ? 0 : rounds / counted;
  return { bytes: scale * meter.bytes, seconds: scale * meter.seconds };
}

/** The cost of exact means of one vector by a ring's all-reduce; where messages get lost, each is sent until it arrives. */
export function costOfAllReduce(n: number, times: number, network: Network, loss = 0): Cost {
  const meter = new Meter(n, asLatency(network));
  meter.allReduce(network.modelBytes);
  const scale = times / (1 - loss);
  return { bytes: scale * meter.bytes, seconds: scale * meter.seconds };
}
