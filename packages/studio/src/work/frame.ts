/** The rounds of topologies as a page shows them: every node's value, who sends to whom next, and the sums so far. */

import { messagesOf } from "equitopo/internal/round";
import { layoutAs } from "equitopo/picture";
import { MOST_TOPOLOGIES } from "../view/fields.ts";
import type { Chosen } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";
import { arrives, pickEdges } from "./edges.ts";
import type { Setting } from "./setting.ts";
import { keptTracks, type Track } from "./track.ts";
import { isTrouble, orTrouble, type Trouble } from "./trouble.ts";

export interface FrameQuestion extends Pick<View, "layout" | "node"> {
  readonly topologies: readonly Chosen[];
  readonly setting: Setting;
  readonly t: number;
}

/** What a node does in a round: it exchanges, it has no partner, or it is down. */
export const [BUSY, IDLE, DOWN] = [0, 1, 2];

export type Frame = ReturnType<typeof frameOf>;

// A worker goes through the same rounds again and again, so it keeps the tracks.
const trackOf = keptTracks(2 * MOST_TOPOLOGIES);

/** A frame for each topology, or why there is none. */
export function* frame(question: FrameQuestion): Generator<undefined, (Frame | Trouble)[]> {
  const { topologies, setting, t } = question;
  const seen: (Frame | Trouble)[] = [];
  for (const chosen of topologies) {
    const track = orTrouble(() => trackOf(chosen, setting));
    if (!isTrouble(track)) yield* track.seek(t);
    seen.push(isTrouble(track) ? track : frameOf(track, { ...question, d: setting.d }));
  }
  return seen;
}

/** Rounding moves a mean by less than this share of what is averaged. */
const KEPT = 1e-12;

/** Compares with the numbers, not with their mean alone: that may be next to 0, and rounding does not shrink with it. */
function moved({ steps, history, t, topology }: Track) {
  const mean = Math.hypot(...steps.mean);
  // A mean of 0 has no shares: the drift is then the change itself.
  const change = history.drifts[t] * (mean === 0 ? 1 : mean);
  const spread = history.errors[0] / Math.sqrt(topology.n);
  return { isKept: change < KEPT * (mean + spread), shift: change / (spread || 1) };
}

/** What a track shows at its present round. O(n + edges drawn), O(edges) where messages are dropped. */
export function frameOf(track: Track, { d, layout, node }: Pick<View, "d" | "layout" | "node">) {
  const { steps, topology, history, t } = track;
  const { n, symmetric } = topology;
  const { planned, round, down } = steps.ahead;
  const values = Float32Array.from({ length: n }, (_, i) => steps.x[i * d]);
  const messages = messagesOf(planned);
  const status = Uint8Array.from({ length: n }, (_, i) => {
    if (down?.[i] === 1) return DOWN;
    return (typeof messages === "number" ? messages : messages[i]) === 0 ? IDLE : BUSY;
  });
  let sum = 0;
  for (let i = 0; i < n; i++) sum += steps.x[i * d];
  const counted = (kind: number) => status.reduce((count, one) => count + (one === kind ? 1 : 0), 0);
  return {
    ...{ t, n, symmetric, layout: layoutAs(topology, layout) },
    /** The first number of each node. */
    values,
    /** BUSY, IDLE or DOWN, node by node, and how many are IDLE and DOWN. */
    ...{ status, idle: counted(IDLE), down: counted(DOWN) },
    edges: pickEdges(planned, round, symmetric),
    /** The mean of the first numbers, at the start and now. */
    ...{ mean: steps.mean[0], meanNow: sum / n },
    /** Disagreement ||x(t) - J x(t)||, now, at the start, and in every round that was ever reached. */
    ...{ error: history.errors[t], firstError: history.errors[0], errors: Float64Array.from(history.errors) },
    /**
     * How far the mean has moved, as a share of its size at the start (`drift`) and of the nodes' root mean square distance
     * from it then (`shift`), and whether that is rounding only.
     */
    ...{ drift: history.drifts[t], ...moved(track), bytes: history.bytes[t] },
    inspected: node === undefined || node >= n ? undefined : inspect(track, node, values[node]),
  };
}

/** The node that is looked at; `value` is the first of its numbers. */
function inspect({ steps, topology, t }: Track, node: number, value: number) {
  const now = topology.peers(t, node);
  const next = topology.peers(t + 1, node);
  const { planned, round, down } = steps.ahead;
  const comes = (from: number, to: number) => planned === round || arrives(round, from, to);
  return {
    ...{ node, value, bytes: steps.bytesOf(node), down: down?.[node] === 1 },
    /** Whom it hears from and whom it sends to, in this round and in the next. */
    from: now.from.map((link) => ({ ...link, arrives: comes(link.node, node) })),
    to: now.to.map((link) => ({ ...link, arrives: comes(node, link.node) })),
    ...{ nextFrom: next.from, nextTo: next.to },
  };
}
