/**
 * How gradient tracking gets over peers that die, come back or lose messages. Tracking lives by the invariant
 *
 *   sum_i y_i = sum_i g_i   (trackers and gradients, after every iteration),
 *
 * and what a peer takes with it leaves a gap  e = sum_i (y_i - g_i)  that nothing ever closes: the network then settles
 * where the mean gradient is -e/n instead of 0. A peer that comes back starts its tracker from its own gradient
 * (y = g = 0 before the first iteration), and the gap is withdrawn by an audit, which needs no knowledge of who was lost:
 *
 *   every `every` iterations  z_i = y_i - g_i;   z <- W z beside x and y for `rounds` iterations;   then  y_i <- y_i - z_i.
 *
 * W keeps sums, so sum_i z_i = e however far the mixing has come: the invariant holds again exactly. The mixing only
 * spreads the correction evenly (with rounds = 0 every tracker would begin anew). Where nothing was lost z goes to 0
 * and almost nothing happens. An audit in which messages are lost is made good by the next one.
 *
 * Costs a third vector in `rounds` of `every` iterations. The results differ from the simulator's in the last digits.
 */

import type { Algorithm, Mix, Running } from "../algorithm/algorithm.ts";
import { InputError, integer } from "../input/input.ts";
import type { Rows } from "../round/round.ts";

export interface RepairOptions {
  /** Iterations between two audits. */
  readonly every: number;
  /** Iterations that an audit mixes for; fewer than `every`. */
  readonly rounds: number;
}

/** The states of gradient tracking among those that an algorithm declares: the tracker, and what it has counted in. */
export function trackingStates({ states }: Pick<Algorithm, "states">): { y: string; g: string } | undefined {
  const named = (kind: string) => Object.keys(states).find((name) => states[name] === kind);
  const [y, g] = [named("tracker"), named("counted")];
  return y === undefined || g === undefined ? undefined : { y, g };
}

/** The same algorithm at work, audited. All peers must audit alike. */
export function repairing(
  running: Running,
  algorithm: Pick<Algorithm, "name" | "states">,
  options: RepairOptions,
): Running {
  const every = integer("the audit's every", options.every, 2);
  const rounds = integer("the audit's rounds", options.rounds, 1, every - 1);
  const names = trackingStates(algorithm);
  if (names === undefined) {
    throw new InputError("an audit is for gradient tracking (dsgt, diging, atc-gt)", algorithm.name, "leave it out");
  }
  const { state } = running;
  let z: Rows | undefined;
  return {
    state,
    *iterate(t): Generator<Mix, void, readonly Rows[]> {
      const phase = t % every;
      const audit = t >= every && phase < rounds;
      const [y, g] = [state[names.y], state[names.g]];
      if (audit && phase === 0) z = y.map((value, k) => value - g[k]) as Rows;
      // One that comes back in the middle has nothing to contribute, and takes its share of the rest.
      else if (audit) z ??= y.map(() => 0) as Rows;
      const iteration = running.iterate(t);
      let step = iteration.next();
      for (let exchange = 0; !step.done; exchange++) {
        if (audit && z !== undefined && exchange === 0) {
          const mixed = yield { ...step.value, vectors: [...step.value.vectors, z] };
          z = mixed[mixed.length - 1];
          step = iteration.next(mixed.slice(0, -1));
        } else step = iteration.next(yield step.value);
      }
      if (audit && phase === rounds - 1 && z !== undefined) {
        const tracker = state[names.y];
        for (let k = 0; k < tracker.length; k++) tracker[k] -= z[k];
        z = undefined;
      }
    },
  };
}
