/**
 * Centralised (parallel) SGD:  m = b m + G;   X+ = J (X - g m).
 * With an inner optimiser:     X+ = its step from J G, the same at all nodes: data parallelism as it is usual. Nodes that
 *                              begin apart stay apart.
 *
 * What every decentralised method is held against. W is never used; one all-reduce an iteration, 2 (n-1)/n vectors by
 * ring. Exact.
 */

import { InputError } from "../input/input.ts";
import { about, optional, share } from "../input/option.ts";
import { defineAlgorithm, oneExchange } from "./algorithm.ts";
import { anyWeights } from "./condition.ts";
import { startMomentum } from "./dmsgd.ts";
import { inner, moments, startInner } from "./inner.ts";
import { iterations } from "./iterations.ts";
import { reroute } from "./reroute.ts";

export const centralised = defineAlgorithm({
  name: "centralised",
  summary: "parallel SGD with an all-reduce in every iteration",
  update: "m = b m + G; X+ = J(X - g m), or the step of an inner optimiser from J G",
  condition: anyWeights,
  exact: true,
  options: {
    momentum: share(0),
    inner: about(optional(inner("adamw")), "gradients are averaged, and this optimiser makes a step of them"),
  },
  sends({ momentum, inner }) {
    if (inner !== undefined && momentum !== 0) {
      const rule = "centralised has its own momentum, or an inner optimiser";
      throw new InputError(rule, `both, momentum ${momentum}`, 'try inner: { name: "momentum" } alone');
    }
    return { vectors: 0, reductions: 1 };
  },
  exchanges: () => ({ ...oneExchange(), means: true }),
  states: moments,
  start(world, { momentum, inner }, saved) {
    if (inner === undefined) return reroute(startMomentum(world, momentum, saved), () => "mean");
    let gradient = world.rows();
    const { moments, step } = startInner(inner, world);
    return iterations(world, saved, moments, function* (state, t) {
      world.gradient(state.x, t, gradient);
      [gradient] = yield { vectors: [gradient], by: "mean" };
      step(state, gradient, t);
    });
  },
});
