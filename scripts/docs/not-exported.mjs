/**
 * Types that stand in signatures and are exported by nobody, on purpose: parts of exported types under a short name, and lists
 * of words that a type is made from. By package, as `file:name`.
 */
export const notExported = {
  equitopo: [
    "src/advise/advise.ts:Open",
    "src/algorithm/fit.ts:Conditioned",
    "src/algorithm/rows.ts:passes",
    "src/algorithm/rows.ts:__module",
    "src/input/option.ts:ValueOf",
    "src/kernel/gossip-calls.ts:GossipExports",
    "src/peer/fault.ts:faultKinds",
    "src/peer/memory.ts:MemoryLane",
    "src/peer/mixing.ts:Started",
    "src/run/liars.ts:Lying",
    "src/run/run.ts:Measured",
    "src/run/run.ts:Recorded",
    "src/run/spec.ts:AlgorithmEntry",
    "src/run/spec.ts:Labelled",
    "src/run/spec.ts:ProblemEntry",
  ],
  "@equitopo/nn": ["src/classification/settings.ts:options", "src/data/plane.ts:patterns"],
  "@equitopo/gpu": ["src/shader/pass.ts:unused", "src/train/steps.ts:StepNumbers"],
  "@equitopo/web": ["src/browser/seat-memory.ts:Memory", "src/live/event.ts:Metrics", "src/room/relay.ts:Stand"],
};
