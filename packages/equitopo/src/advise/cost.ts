/**
 * What rounds cost on a network: the meter's own count of what nodes send, and its model of time (a message of b bytes
 * takes alpha + beta b seconds, a node sends one after another, a round waits for the busiest node; an all-reduce of V
 * bytes is a ring's, 2 (n - 1) messages of V / n bytes one after another). Many rounds are counted over the first ones
 * and scaled up.
 */

import { Meter } from "../algorithm/meter.ts";
import type { Topology } from "../topology/topology.ts";
import type { Question } from "./question.ts";

/** Bytes of one vector, seconds a message, and bytes a second. */
export type Network = Pick<Question, "modelBytes" | "latency" | "bandwidth">;

export interface Cost {
  /** Sent by the node that sends most. */
  readonly bytes: number;
  readonly seconds: number;
}

/** Rounds that are counted one by one; a period beyond it is rare. */
const COUNTED = 64;

const meterOf = (n: number, { latency, bandwidth }: Network) => new Meter(n, { alpha: latency, beta: 1 / bandwidth });
const scaled = ({ bytes, seconds }: Cost, factor: number): Cost => ({
  bytes: factor * bytes,
  seconds: factor * seconds,
});

/** The cost of so many rounds, each of `vectors` vectors in one message to every peer. O(min(rounds, 64) n degree). */
export function costOfRounds(topology: Topology, rounds: number, network: Network, vectors = 1): Cost {
  if (rounds === Number.POSITIVE_INFINITY) return { bytes: rounds, seconds: rounds };
  const { n, period = COUNTED } = topology;
  // Whole periods where they are short, so that scaling does not favour their cheap beginning.
  const counted = Math.min(rounds, period >= COUNTED ? COUNTED : period * Math.floor(COUNTED / period));
  const meter = meterOf(n, network);
  for (let t = 0; t < counted; t++) meter.exchange(topology.round(t), vectors * network.modelBytes, t);
  return scaled(meter, counted === 0 ? 0 : rounds / counted);
}

/** The cost of exact means of one vector by a ring's all-reduce; if messages are dropped, each is sent until it arrives. */
export function costOfAllReduce(n: number, times: number, network: Network, loss = 0): Cost {
  const meter = meterOf(n, network);
  meter.allReduce(network.modelBytes);
  return scaled(meter, times / (1 - loss));
}
