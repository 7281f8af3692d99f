/**
 * Types that stand in signatures and are exported by nobody, on purpose: parts of exported types under a short name, what
 * only the library itself makes, and lists of words that a type is made from. By package, as `file:name`.
 */
export const notExported = {
  equitopo: [
    "src/advise/question.ts:Settled",
    "src/algorithm/fit.ts:Conditioned",
    "src/algorithm/rows.ts:passes",
    "src/algorithm/rows.ts:__module",
    "src/input/option.ts:ValueOf",
    "src/input/registry.ts:Choice",
    "src/input/registry.ts:Unwritten",
    "src/peer/exchange/streams.ts:Machine",
    "src/peer/report/fault.ts:faultKinds",
    "src/rate/work.ts:Arrays",
    "src/rate/work.ts:Edges",
    "src/rate/work.ts:ExactRounds",
    "src/rate/work.ts:Shifts",
    "src/run/async/inbox.ts:InboxOptions",
    "src/run/course/parts.ts:Parts",
    "src/run/diverged.ts:Ended",
    "src/run/spec.ts:EntryOf",
    "src/run/spec.ts:KnownAlgorithm",
    "src/run/spec.ts:KnownProblem",
    "src/run/spec.ts:KnownTopology",
    "src/run/spec.ts:Labelled",
    "src/topology/inner-spec.ts:InnerSpec",
  ],
  "@equitopo/nn": [
    "src/classification/settings.ts:options",
    "src/data/plane.ts:patterns",
    "src/model/registry.ts:Layers",
  ],
  "@equitopo/gpu": [
    "src/matrix/finish.ts:HalfValue",
    "src/plan/float32.ts:Float32Network",
    "src/plan/mixed.ts:MixedNetwork",
    "src/shader/passes.ts:passes",
    "src/shader/value.ts:Value",
  ],
  "@equitopo/node": ["src/server/address.ts:Pem", "src/server/address.ts:ServerTls"],
  "@equitopo/web": [
    "src/live/event.ts:event",
    "src/room/protocol.ts:fromRoom",
    "src/room/protocol.ts:refusals",
    "src/room/protocol.ts:toRoom",
  ],
  "@equitopo/experiments": ["unit.ts:Kind", "unit.ts:ResultOf", "unit.ts:works"],
};
