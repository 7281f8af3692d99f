/**
 * Small changes of the library, each of which a test must notice: a file below packages/equitopo/src, a text that is in it
 * once, what to write instead, and the test files (below packages/equitopo/test) that are to fail then.
 */

import { adviseMutants } from "./list/advise.mjs";
import { algorithmMutants } from "./list/algorithm.mjs";
import { designMutants } from "./list/design.mjs";
import { faultMutants } from "./list/faults.mjs";
import { numberMutants } from "./list/number.mjs";
import { peerMutants } from "./list/peer.mjs";
import { rateMutants } from "./list/rate.mjs";
import { runMutants } from "./list/run.mjs";
import { topologyMutants } from "./list/topology.mjs";

export const mutants = [
  ...rateMutants,
  ...designMutants,
  ...topologyMutants,
  ...faultMutants,
  ...numberMutants,
  ...algorithmMutants,
  ...runMutants,
  ...adviseMutants,
  ...peerMutants,
];

/** Those that no test can notice, or none does, each with the reason: docs/mutants.md has the same. */
export const survivors = {
  "rate/gains-sampled.ts: sampled noise of n nodes": "no test looks at so small a difference, a share of 1/(2n).",
  "design/weights.ts: weights of the last attempt, not of the best":
    "no support is known on which a later attempt is worse than the best before.",
  "algorithm/compressor.ts: indices out of range are written": "typed arrays ignore what is written beyond their end.",
  "run/async/replay.ts: what nodes hold is not counted": "no test looks at it yet.",
  "run/course/course.ts: saved twice": "no test looks at it yet; what is written again is the same.",
  "peer/exchange/exchange.ts: who is gone is waited for":
    "no test looks at it yet; the deadline is to end the wait as well.",
  "rate/lanczos.ts: stops at a coarse residual": "no graph of the tests ends between the two residuals.",
  "topology/relabel.ts: blocks that go on in the cycle":
    "no family of the tests has a block that is no whole number of periods.",
};
