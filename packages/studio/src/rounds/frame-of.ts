/** A frame, taken of a track where it stands. */

import { messagesOf } from "equitopo/round";
import type { Track } from "../simulate.ts";
import { arrives, pickEdges } from "./edges.ts";
import { BUSY, DOWN, type Frame, IDLE, type Inspected } from "./frame.ts";

/** Rounding moves a mean by less than this share of what is averaged. */
const KEPT = 1e-12;

/** Against the numbers themselves and not their mean alone: that may be next to nothing, and rounding is none of its size. */
function isKept({ steps, history, t, topology }: Track): boolean {
  const mean = Math.hypot(...steps.mean);
  const change = history.drifts[t] * (mean === 0 ? 1 : mean);
  return change < KEPT * (mean + history.errors[0] / Math.sqrt(topology.n));
}

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
    isKept: isKept(track),
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
