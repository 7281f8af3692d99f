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

import type { Mix, Running } from "../algorithm/algorithm.ts";
import { InputError, integer } from "../input/input.ts";
import type { Vector } from "./transport.ts";

export interface RepairOptions {
  /** Iterations between two audits. */
  readonly every: number;
  /** Iterations that an audit mixes for; fewer than `every`. */
  readonly rounds: number;
}

/** Whether the algorithm's state is a tracker y with the gradient g that it has counted in. */
export function tracks(running: Running): boolean {
  return running.state["y"] !== undefined && running.state["g"] !== undefined;
}

/** The same algorithm, audited. All peers must audit alike. */
export function repairing(running: Running, options: RepairOptions): Running {
  const every = integer("the audit's every", options.every, 2);
  const rounds = integer("the audit's rounds", options.rounds, 1, every - 1);
  if (!tracks(running)) {
    throw new InputError(
      "an audit is for gradient tracking (dsgt, diging, atc-gt)",
      Object.keys(running.state).join(", "),
      "leave it out",
    );
  }
  const { state } = running;
  let z: Vector | undefined;
  return {
    state,
    *iterate(t): Generator<Mix, void, readonly Vector[]> {
      const phase = t % every;
      const audit = t >= every && phase < rounds;
      if (audit && phase === 0) z = state["y"].map((value, k) => value - state["g"][k]) as Vector;
      // One that comes back in the middle has nothing to contribute, and takes its share of the rest.
      else if (audit) z ??= state["y"].map(() => 0) as Vector;
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
        const { y } = state;
        for (let k = 0; k < y.length; k++) y[k] -= z[k];
        z = undefined;
      }
    },
  };
}
