/** What is seen of a track at one round: everybody's value, who is about to send to whom, and what it came to so far. */

import type { Link } from "equitopo";
import type { Setting } from "../setting.ts";
import type { Chosen } from "../topology-field.ts";
import type { Trouble } from "../trouble.ts";
import type { Edges } from "./edges.ts";

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
  /** Whether that is rounding only. */
  readonly isKept: boolean;
  readonly bytes: number;
  readonly seconds: number;
  readonly inspected: Inspected | undefined;
}

/** A refusal stands in the place of a frame where a topology cannot be had. */
export type Seen = Frame | Trouble;
