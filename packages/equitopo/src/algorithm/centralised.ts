/**
 * Centralised (parallel) SGD:  m = b m + G;   X+ = J (X - g m).
 *
 * What every decentralised method is held against. W is never used; one all-reduce an iteration, 2 (n-1)/n vectors by
 * ring. Exact.
 */

import { share } from "../input/option.ts";
import { defineAlgorithm, oneExchange } from "./algorithm.ts";
import { anyWeights } from "./condition.ts";
import { startMomentum } from "./dmsgd.ts";
import { reroute } from "./reroute.ts";

export const centralised = defineAlgorithm({
  name: "centralised",
  summary: "parallel SGD with an all-reduce in every iteration",
  update: "m = b m + G; X+ = J(X - g m)",
  condition: anyWeights,
  exact: true,
  options: { momentum: share(0) },
  sends: () => ({ vectors: 0, reductions: 1 }),
  exchanges: () => ({ ...oneExchange(), means: true }),
  states: { m: "own" },
  start: (world, { momentum }, saved) => reroute(startMomentum(world, momentum, saved), () => "mean"),
});
