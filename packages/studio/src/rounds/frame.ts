/** What is seen of a track at one round: everybody's value, who is about to send to whom, and what it came to so far. */

import type { Link } from "equitopo";
import { messagesOf } from "equitopo/round";
import type { Setting } from "../setting.ts";
import type { Track } from "../simulate.ts";
import type { Chosen } from "../topology-field.ts";
import type { Trouble } from "../trouble.ts";
import { arrives, type Edges, pickEdges } from "./edges.ts";

export interface FrameQuestion {
  readonly topologies: readonly Chosen[];
  readonly setting: Setting;
  readonly t: number;
  /** The node that is looked at. */
  readonly node: number | undefined;
}

/** What a node does in a round: it takes part, nobody talks to it, or it is down. */
export const [BUSY, IDLE, DOWN] = [0, 1, 2];

/** One peer of the node that is looked at. */
export interface Partner {
  readonly node: number;
  readonly weight: number;
  readonly arrives: boolean;
}

export interface Inspected {
  readonly node: number;
  /** The first of its numbers. */
  readonly value: number;
  readonly bytes: number;
  readonly down: boolean;
  /** Whom it hears from and whom it sends to, in this round and in the next. */
  readonly from: readonly Partner[];
  readonly to: readonly Partner[];
  readonly nextFrom: readonly Link[];
  readonly nextTo: readonly Link[];
}

export interface Frame {
  readonly t: number;
  readonly n: number;
  /** The first number of each node. */
  readonly values: Float32Array;
  /** BUSY, IDLE or DOWN, node by node. */
  readonly status: Uint8Array;
  readonly idle: number;
  readonly down: number;
  readonly edges: Edges;
  /** The mean of the first numbers, at the start and now. */
  readonly mean: number;
  readonly meanNow: number;
  /** Disagreement ||x(t) - J x(t)||, now and at the start. */
  readonly error: number;
  readonly firstError: number;
  /** Disagreement in every round that was ever reached. */
  readonly errors: Float64Array;
  readonly drift: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly inspected: Inspected | undefined;
}

/** A refusal stands in the place of a frame where a topology cannot be had. */
export type Seen = Frame | Trouble;

/** What a track shows where it stands. O(n + edges drawn), O(edges) where messages are lost. */
export function frameOf(track: Track, d: number, node: number | undefined): Frame {
  const { steps, topology, history, t } = track;
  const { n } = topology;
  const { planned, round, down } = steps.ahead;
  const values = new Float32Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    values[i] = steps.x[i * d];
    sum += steps.x[i * d];
  }
  const status = statusOf(n, messagesOf(planned), down);
  const counted = (kind: number) => status.reduce((count, one) => count + (one === kind ? 1 : 0), 0);
  return {
    t,
    n,
    values,
    status,
    idle: counted(IDLE),
    down: counted(DOWN),
    edges: pickEdges(planned, round, topology.symmetric),
    mean: steps.mean[0],
    meanNow: sum / n,
    error: history.errors[t],
    firstError: history.errors[0],
    errors: Float64Array.from(history.errors),
    drift: history.drifts[t],
    bytes: history.bytes[t],
    seconds: history.seconds[t],
    inspected: node === undefined || node >= n ? undefined : inspect(track, node, values[node]),
  };
}

function statusOf(n: number, messages: number | Int32Array, down: Uint8Array | undefined): Uint8Array {
  const status = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const sends = typeof messages === "number" ? messages : messages[i];
    status[i] = down?.[i] === 1 ? DOWN : sends === 0 ? IDLE : BUSY;
  }
  return status;
}

function inspect({ steps, topology, t }: Track, node: number, value: number): Inspected {
  const now = topology.peers(t, node);
  const next = topology.peers(t + 1, node);
  const { planned, round, down } = steps.ahead;
  const comes = (from: number, to: number) => planned === round || arrives(round, from, to);
  return {
    node,
    value,
    bytes: steps.bytesOf(node),
    down: down?.[node] === 1,
    from: now.from.map((link) => ({ ...link, arrives: comes(link.node, node) })),
    to: now.to.map((link) => ({ ...link, arrives: comes(node, link.node) })),
    nextFrom: next.from,
    nextTo: next.to,
  };
}
