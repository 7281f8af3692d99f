/**
 * The stability radius by sampling. Mean squares are carried by rare draws, which the mean over a few runs misses; so
 * a flock of states x+ = V(2x - y), y+ = x is followed, each through rounds of its own, and after every few rounds those
 * that grew most are copied over those that grew least, in proportion to their squares. The growth of the whole flock is
 * then the radius; several flocks, independent of each other, give the error. The rounds are the topology's own, W(t) being
 * a function of t: the same numbers every time. O(flocks x states x rounds x edges).
 */

import { centre, dot } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import { type RoundSequence, stretchOf } from "./sequence.ts";
import type { Form, Stability } from "./stability.ts";

const FLOCKS = 8;
/** States in a flock, first and where that does not tell. */
const FEW = 12;
const MANY = 48;
/** Rounds between two selections, at least; selections before the growth is counted, and while it is. */
const ROUNDS = 8;
const LEAD = 6;
const COUNTED = 8;

interface State {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly square: number;
}

export function sampledStability(topology: RoundSequence, form: Form): Stability {
  // Few states tell where the radius is far from 1, which is what one asks for.
  const found = sampled(topology, form, FEW);
  return Math.abs(found.radius - 1) > 4 * (found.error ?? 0) ? found : sampled(topology, form, MANY);
}

function sampled(topology: RoundSequence, form: Form, states: number): Stability {
  const stretch = stretchOf(topology);
  // Whole periods, whose rounds belong together.
  const rounds = Math.ceil(ROUNDS / stretch) * stretch;
  const logs = Array.from({ length: FLOCKS }, (_, flock) => growthOf(topology, form, flock, rounds, states));
  const mean = logs.reduce((sum, log) => sum + log, 0) / FLOCKS;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (FLOCKS - 1);
  // Rounds that repeat are judged by vectors, random ones by their mean squares.
  const scale = (topology.kind === "random" ? 1 : 0.5) / rounds;
  const radius = Math.exp(mean * scale);
  return { radius, method: "sampled", error: radius * 3 * Math.sqrt(variance / FLOCKS) * scale };
}

/** The mean logarithm of a flock's growth between two selections. */
function growthOf(topology: RoundSequence, form: Form, flock: number, rounds: number, states: number): number {
  const { n } = topology;
  const count = Math.max(4, Math.min(states, Math.floor(8192 / n)));
  const random = new RandomStream(2, streams.stability, flock);
  let flying = Array.from({ length: count }, (_, k): State => {
    const x = fillNormal(new Float64Array(n), 0, streams.stability, flock * count + k);
    const y = fillNormal(new Float64Array(n), 1, streams.stability, flock * count + k);
    centre(x);
    centre(y);
    return { x, y, square: dot(x, x) + dot(y, y) };
  });
  let sum = 0;
  for (let step = 0; step < LEAD + COUNTED; step++) {
    const grown = flying.map((state, k) => {
      const first = ((flock * count + k) * (LEAD + COUNTED) + step) * rounds;
      return advance(topology, form, state, first, rounds);
    });
    const total = grown.reduce((all, state) => all + state.square, 0);
    // All that is left is rounding: it cannot shrink faster.
    if (!(total > 1e-280)) return Number.NEGATIVE_INFINITY;
    if (step >= LEAD) sum += Math.log(total / count);
    flying = selected(grown, total, random.uniform());
  }
  return sum / COUNTED;
}

/** So many rounds from a state, brought to size 1. */
function advance(topology: RoundSequence, form: Form, from: State, first: number, rounds: number): State {
  const scale = 1 / Math.sqrt(from.square);
  let x = from.x.map((value) => value * scale);
  let y = from.y.map((value) => value * scale);
  for (let t = 0; t < rounds; t++) {
    [x, y] = [diffused(topology.round(first + t), x, y, form), x];
    // Rounding must not let the mean grow.
    centre(x);
  }
  return { x, y, square: dot(x, x) + dot(y, y) };
}

/** As many as before, each with a number of copies that is its share of the squares, rounded up or down by one draw. */
function selected(states: readonly State[], total: number, offset: number): State[] {
  const chosen: State[] = [];
  let passed = 0;
  for (const state of states) {
    passed += (state.square / total) * states.length;
    while (chosen.length + offset < passed && chosen.length < states.length) chosen.push(state);
  }
  while (chosen.length < states.length) chosen.push(states[states.length - 1]);
  return chosen;
}

/** One step V (2x - y) of the disagreement: V = (I + W)/2 in the lazy form, W in the plain one; rows of any width. */
export function diffused(round: Round, x: Float64Array, y: Float64Array, form: Form): Float64Array<ArrayBuffer> {
  const phi = new Float64Array(x.length);
  for (let k = 0; k < x.length; k++) phi[k] = 2 * x[k] - y[k];
  const out = new Float64Array(x.length);
  applyRound(round, phi, out);
  if (form === "lazy") for (let k = 0; k < x.length; k++) out[k] = (out[k] + phi[k]) / 2;
  return out;
}
