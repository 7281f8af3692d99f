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
export const survivors = {};
