/**
 * How gradient tracking survives peers that die or come back, and dropped messages. Tracking rests on the invariant
 *
 *   sum_i y_i = sum_i g_i   (trackers and gradients, after every iteration),
 *
 * and a peer that dies leaves a gap  e = sum_i (y_i - g_i)  that nothing ever closes: the network then settles
 * where the mean gradient is -e/n instead of 0. A peer that comes back starts its tracker from its own gradient
 * (y = g = 0 before the first iteration), and an audit withdraws the gap; it need not know which peers died:
 *
 *   every `every` iterations, or where peers have agreed on it after a fault (fault-repair.ts):
 *   z_i = y_i - g_i;   z <- W z beside x and y for `rounds` iterations;   then  y_i <- y_i - z_i.
 *
 * W keeps sums, so sum_i z_i = e however far the mixing has come: the invariant holds again exactly. The mixing only
 * spreads the correction evenly (with rounds = 0 every tracker would begin anew). Where there is no gap, z goes to 0
 * and almost nothing happens. If messages are dropped in an audit, the next one makes up for it.
 *
 * Costs a third vector in `rounds` of `every` iterations. The results differ from the simulator's in the last digits.
 */

import type { Algorithm, Mix, Running } from "../../algorithm/algorithm.ts";
import { InputError, integer } from "../../input/input.ts";
import { predictedRounds } from "../../rate/prediction.ts";
import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";

export interface RepairOptions {
  /** Iterations between two audits. */
  readonly every: number;
  /** Iterations that an audit mixes for; fewer than `every`. */
  readonly rounds: number;
}

type Tracking = { readonly y: string; readonly g: string };

/** The states of gradient tracking among those that an algorithm declares: the tracker, and what it has counted in. */
export function trackingStates({ states }: Pick<Algorithm, "states">): Tracking | undefined {
  const named = (kind: string) => Object.keys(states).find((name) => states[name] === kind);
  const [y, g] = [named("tracker"), named("counted")];
  return y === undefined || g === undefined ? undefined : { y, g };
}

/** The same running algorithm, audited every so many iterations over this topology; unchanged if that is 0. */
export function audited(running: Running, algorithm: Algorithm, topology: Topology, audit = 0): Running {
  if (audit === 0) return running;
  const rounds = Math.min(audit - 1, predictedRounds(topology, 1e-3, "any"));
  return repairing(running, algorithm, { every: audit, rounds });
}

/** The same algorithm at work, audited. All peers must audit alike. */
export function repairing(running: Running, algorithm: Pick<Algorithm, "name" | "states">, options: RepairOptions) {
  const every = integer("the audit's every", options.every, 2);
  const rounds = integer("the audit's rounds", options.rounds, 1, every - 1);
  const names = trackingStates(algorithm);
  if (names === undefined) {
    throw new InputError("an audit is for gradient tracking (dsgt, diging, atc-gt)", algorithm.name, "leave it out");
  }
  return repairedWhen(running, names, (t) => {
    const phase = t % every;
    return t < every || phase >= rounds ? undefined : { begin: t - phase, phase, last: phase === rounds - 1 };
  });
}

/** An iteration of a repair: where that began, its place in it, and whether it is the last. */
export interface RepairPhase {
  readonly begin: number;
  readonly phase: number;
  readonly last: boolean;
}

type PhaseOf = (t: number) => RepairPhase | undefined;

/** The same algorithm at work, its trackers repaired in the iterations for which `phaseOf` says so. */
export function repairedWhen(running: Running, names: Tracking, phaseOf: PhaseOf): Running {
  const { state } = running;
  let z: Rows | undefined;
  let begin: number | undefined;
  return {
    state,
    *iterate(t): Generator<Mix, void, readonly Rows[]> {
      const now = phaseOf(t);
      const [y, g] = [state[names.y], state[names.g]];
      if (now?.phase === 0) z = y.map((value, k) => value - g[k]) as Rows;
      // One that comes back in the middle has nothing to contribute, and takes its share of the rest.
      else if (now !== undefined && (z === undefined || now.begin !== begin)) z = y.map(() => 0) as Rows;
      begin = now?.begin;
      const iteration = running.iterate(t);
      let step = iteration.next();
      for (let exchange = 0; !step.done; exchange++) {
        if (now !== undefined && z !== undefined && exchange === 0) {
          const mixed = yield { ...step.value, vectors: [...step.value.vectors, z] };
          z = mixed[mixed.length - 1];
          step = iteration.next(mixed.slice(0, -1));
        } else step = iteration.next(yield step.value);
      }
      if (now?.last && z !== undefined) {
        const tracker = state[names.y];
        for (let k = 0; k < tracker.length; k++) tracker[k] -= z[k];
        z = undefined;
      }
    },
  };
}
