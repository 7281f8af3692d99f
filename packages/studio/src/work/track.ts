/**
 * One topology's gossip, to be looked at in any order: errors are kept for every round once reached, states only now and
 * then (keyframes), and any round is replayed from the nearest one before it. What goes wrong is part of the setting, so
 * a replay comes to the same bits.
 */

import { type GossipState, type GossipSteps, gossipSteps, type Topology } from "equitopo";
import { MOST_ROUNDS } from "../view/fields.ts";
import type { Chosen } from "../view/topology-field.ts";
import { optionsFor, type Setting, topologyOf } from "./setting.ts";

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
  /** The round at which the steps stand. */
  t = 0;

  constructor(chosen: Chosen, setting: Setting) {
    this.topology = topologyOf(chosen, setting);
    this.steps = gossipSteps(this.topology, optionsFor(this.topology, setting));
    const all = (setting.n * setting.d * MOST_ROUNDS) / SPACING;
    this.#spacing = SPACING * Math.ceil(all / MOST_NUMBERS);
    this.#reached();
  }

  /** Goes to round t, back or forth; yields after every round, so that it can be given up. */
  *seek(t: number): Generator<undefined, void> {
    const before = Math.floor(t / this.#spacing) * this.#spacing;
    const nearest = Math.min(before, Math.floor((this.history.errors.length - 1) / this.#spacing) * this.#spacing);
    if (t < this.t || nearest > this.t) {
      const state = this.#keyframes.get(nearest);
      if (state === undefined) throw new Error(`no keyframe at round ${nearest}`);
      this.steps.restore(state);
      this.t = nearest;
    }
    while (this.t < t) {
      this.#reached();
      yield;
    }
  }

  /** One step, and what it came to. */
  #reached(): void {
    const { t, error } = this.steps.take();
    const { errors, drifts, bytes, seconds } = this.history;
    this.t = t;
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
export function keptTracks(most: number): (chosen: Chosen, setting: Setting) => Track {
  const tracks = new Map<string, Track>();
  return (chosen, setting) => {
    const key = JSON.stringify([chosen, setting]);
    const track = tracks.get(key) ?? new Track(chosen, setting);
    tracks.delete(key);
    tracks.set(key, track);
    const [oldest] = tracks.keys();
    if (tracks.size > most) tracks.delete(oldest);
    return track;
  };
}
