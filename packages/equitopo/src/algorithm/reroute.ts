/** The same iterations with some of their exchanges sent another way: Gossip-PGA and W = J are made so. */

import type { Running } from "./algorithm.ts";

/** topology: W(t). mean: J, an all-reduce. */
export type Way = "topology" | "mean";

export function reroute(running: Running, way: (t: number) => Way): Running {
  return {
    state: running.state,
    *iterate(t) {
      const by = way(t);
      const iteration = running.iterate(t);
      for (let step = iteration.next(); !step.done; ) {
        const mix = step.value;
        step = iteration.next(yield by === "mean" ? { ...mix, by } : mix);
      }
    },
  };
}
