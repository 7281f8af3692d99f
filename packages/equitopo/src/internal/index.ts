/**
 * What programs once imported and rarely need, in one place: no promise is made of it. Where two doors had one name for two
 * things, it is the first door's; the second one's is at `internal/` with that door's name.
 */

export * from "../testing/index.ts";
export * from "../theory/index.ts";
export type { Network, Question, Watch } from "./advise.ts";
export * from "./advise.ts";
export * from "./algorithm.ts";
export * from "./design.ts";
export * from "./faults.ts";
export * from "./input.ts";
export * from "./kernels.ts";
export * from "./number.ts";
export * from "./outcome.ts";
export type { Fault, FaultKind, Outcome } from "./peer.ts";
export * from "./peer.ts";
export * from "./picture.ts";
export { type Scale, topologyOf } from "./picture.ts";
export * from "./problem.ts";
export * from "./random.ts";
export * from "./rate.ts";
export * from "./robust.ts";
export type { Member } from "./root.ts";
export * from "./root.ts";
export * from "./round.ts";
export * from "./run.ts";
export * from "./shared.ts";
export * from "./topology.ts";
