/**
 * One topology's gossip, to be looked at in any order: errors are kept for every round once reached, states only now and
 * then (keyframes), and any round is replayed from the nearest one before it. What goes wrong is part of the setting, so
 * a replay comes to the same bits.
 */

import { type GossipState, type GossipSteps, gossipSteps, type Topology } from "equitopo";
import { MOST_ROUNDS } from "./rounds/fields.ts";
import type { Setting } from "./setting.ts";
import { optionsFor, topologyOf } from "./setting-run.ts";
import type { Chosen } from "./topology-field.ts";

/** Rounds between two keyframes, unless so many would not fit. */
const SPACING = 32;
/** Numbers that all keyframes of a track may hold: 32 MB. */
const MOST_NUMBERS = 4e6;

/** What is known of every round reached. */
export interface History {
  /** ||x(t) - J x(t)||_F. */
  readonly errors: number[];
  /** How far the mean has moved, as a share of its size at the start. */
  readonly drifts: number[];
  /** Bytes that the busiest node had sent. */
  readonly bytes: number[];
  readonly seconds: number[];
}

export class Track {
  readonly topology: Topology;
  readonly steps: GossipSteps;
  readonly history: History = { errors: [], drifts: [], bytes: [], seconds: [] };
  readonly #spacing: number;
  readonly #keyframes = new Map<number, GossipState>();
  #t = 0;

  constructor(chosen: Chosen, setting: Setting) {
    this.topology = topologyOf(chosen, setting);
    this.steps = gossipSteps(this.topology, optionsFor(this.topology, setting));
    const all = (setting.n * setting.d * MOST_ROUNDS) / SPACING;
    this.#spacing = SPACING * Math.ceil(all / MOST_NUMBERS);
    this.#reached();
  }

  /** The round at which the steps stand. */
  get t(): number {
    return this.#t;
  }

  /** Goes to round t, back or forth; yields after every round, so that it can be given up. */
  *seek(t: number): Generator<undefined, void> {
    const before = Math.floor(t / this.#spacing) * this.#spacing;
    const nearest = Math.min(before, Math.floor((this.history.errors.length - 1) / this.#spacing) * this.#spacing);
    if (t < this.#t || nearest > this.#t) {
      const state = this.#keyframes.get(nearest);
      if (state === undefined) throw new Error(`no keyframe at round ${nearest}`);
      this.steps.restore(state);
      this.#t = nearest;
    }
    while (this.#t < t) {
      this.#reached();
      yield;
    }
  }

  /** One step, and what it came to. */
  #reached(): void {
    const { t, error } = this.steps.take();
    const { errors, drifts, bytes, seconds } = this.history;
    this.#t = t;
    if (t === errors.length) {
      errors.push(error);
      drifts.push(this.steps.meanDrift);
      bytes.push(this.steps.bytes);
      seconds.push(this.steps.seconds);
    }
    if (t % this.#spacing === 0 && !this.#keyframes.has(t)) this.#keyframes.set(t, this.steps.save());
  }
}

/** Tracks by what they are of, the newest last; the oldest is forgotten when there are too many. */
export class Tracks {
  readonly #tracks = new Map<string, Track>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  of(chosen: Chosen, setting: Setting): Track {
    const key = JSON.stringify([chosen, setting]);
    const track = this.#tracks.get(key) ?? new Track(chosen, setting);
    this.#tracks.delete(key);
    this.#tracks.set(key, track);
    const [oldest] = this.#tracks.keys();
    if (this.#tracks.size > this.#most) this.#tracks.delete(oldest);
    return track;
  }
}
