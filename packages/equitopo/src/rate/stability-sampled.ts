/**
 * The stability radius by sampling. Mean squares are carried by rare draws, which the mean over a few runs misses; so
 * a flock of states of the recursion is followed, each through rounds of its own, and after every period those that grew
 * most are copied over those that grew least, in proportion to their squares. The growth of the whole flock is then the
 * radius: its mean over flocks, independent of each other, which is taken as log-normal (Cox's interval). The rounds are
 * the topology's own, W(t) being a function of t: the same numbers every time. O(flocks x states x rounds x edges).
 */

import { gcd } from "../number/integers.ts";
import { centre, dot } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { INTERVAL } from "./gains-sampled.ts";
import { advancedOver, type Recursion } from "./recursion.ts";
import { type RoundSequence, stretchOf } from "./sequence.ts";
import type { Stability } from "./stability.ts";

const FLOCKS = 8;
/** The most states in a flock, at first and if these do not decide, and the most numbers in all of them. */
const FEW = 48;
const MANY = 192;
const NUMBERS = 8192;
/** Steps before the growth is counted, and while it is, at least. */
const LEAD = 48;
const COUNTED = 64;

/** How much is followed. */
interface Effort {
  readonly flocks: number;
  readonly states: number;
  readonly least: number;
  readonly lead: number;
  readonly counted: number;
}

const effort = (states: number): Effort => ({ flocks: FLOCKS, states, least: 4, lead: LEAD, counted: COUNTED });

/** To tell what grows, quickly; so little of large n that growth which begins late is not seen. */
const rough = (n: number): Effort =>
  n > LARGE
    ? { flocks: 4, states: 1, least: 1, lead: 8, counted: 12 }
    : { flocks: FLOCKS, states: 4, least: 4, lead: 16, counted: 32 };
const LARGE = 16384;

type State = ReturnType<typeof measured>;

/** Disagreements and the sum of their squares: rounding must not let the mean grow. */
function measured(vectors: readonly Float64Array[]) {
  for (const x of vectors) centre(x);
  return { vectors, square: vectors.reduce((sum, x) => sum + dot(x, x), 0) };
}

/** `each` rounds belong to a step of the recursion; the radius is that of a step. A rough one takes a fifth of the time. */
export function sampledStability(
  topology: RoundSequence,
  recursion: Recursion,
  each = 1,
  how: "rough" | "fine" = "fine",
): Stability {
  if (how === "rough") return sampled(topology, recursion, each, rough(topology.n));
  // The question is whether the radius is below 1: a few states decide unless it is close to 1.
  const found = sampled(topology, recursion, each, effort(FEW));
  return Math.abs(found.radius - 1) > 2 * (found.error ?? 0) ? found : sampled(topology, recursion, each, effort(MANY));
}

/** Whole periods, whose rounds belong together, and whole steps of so many rounds. */
export function cycleOf(topology: RoundSequence, each: number): number {
  const stretch = stretchOf(topology);
  return (stretch / gcd(stretch, each)) * each;
}

function sampled(topology: RoundSequence, recursion: Recursion, each: number, how: Effort): Stability {
  const rounds = cycleOf(topology, each);
  const steps = Math.ceil((how.counted * each) / rounds);
  const logs = Array.from({ length: how.flocks }, (_, flock) => growthOf(topology, recursion, each, flock, steps, how));
  const mean = logs.reduce((sum, log) => sum + log, 0) / FLOCKS;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (FLOCKS - 1);
  // Rounds that repeat are judged by vectors, random ones by their mean squares.
  const scale = (each * (topology.kind === "random" ? 1 : 0.5)) / (rounds * steps);
  // Some flocks died out: the mean of the logarithms says nothing.
  if (!logs.every(Number.isFinite)) {
    return {
      radius: Math.exp(Math.max(...logs) * scale),
      method: "sampled",
      error: logs.some(Number.isFinite) ? Infinity : 0,
    };
  }
  // The mean of the growth lies above that of its logarithm, by half of their variance where that is normal.
  const radius = Math.exp((mean + variance / 2) * scale);
  const spread = Math.sqrt(variance / FLOCKS + variance ** 2 / (2 * (FLOCKS - 1)));
  return { radius, method: "sampled", error: radius * INTERVAL * spread * scale };
}

/** The logarithm of a flock's growth while it is counted. */
function growthOf(
  topology: RoundSequence,
  recursion: Recursion,
  each: number,
  flock: number,
  steps: number,
  how: Effort,
): number {
  const { n } = topology;
  const rounds = cycleOf(topology, each);
  const lead = Math.ceil((how.lead * each) / rounds);
  const count = Math.max(how.least, Math.min(how.states, Math.floor(NUMBERS / n)));
  const random = new RandomStream(2, streams.stability, flock);
  let flying = Array.from({ length: count }, (_, k): State => {
    const vectors = Array.from({ length: recursion.vectors }, (_, a) => {
      return fillNormal(new Float64Array(n), a, streams.stability, flock * count + k);
    });
    return measured(vectors);
  });
  let sum = 0;
  for (let step = 0; step < lead + steps; step++) {
    const grown = flying.map(({ vectors, square }, k) => {
      const first = ((flock * count + k) * (lead + steps) + step) * rounds;
      // Brought to size 1 first.
      let state: readonly Float64Array[] = vectors.map((x) => x.map((value) => value / Math.sqrt(square)));
      for (let t = 0; t < rounds; t += each) {
        const sent = Array.from({ length: each }, (_, hop) => topology.round(first + t + hop));
        state = measured(advancedOver(recursion, sent, state)).vectors;
      }
      return measured(state);
    });
    const total = grown.reduce((all, state) => all + state.square, 0);
    // All that is left is rounding: it cannot shrink faster.
    if (!(total > 1e-280)) return Number.NEGATIVE_INFINITY;
    if (step >= lead) sum += Math.log(total / count);
    flying = selected(grown, total, random.uniform());
  }
  return sum;
}

/** As many as before, each with a number of copies that is its share of the squares, rounded up or down by one draw. */
function selected(states: readonly State[], total: number, offset: number): State[] {
  const chosen: State[] = [];
  let passed = 0;
  for (const state of states) {
    passed += (state.square / total) * states.length;
    while (chosen.length + offset < passed && chosen.length < states.length) chosen.push(state);
  }
  while (chosen.length < states.length) chosen.push(chosen[chosen.length - 1]);
  return chosen;
}
