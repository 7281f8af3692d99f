/** Networks that lose messages, nodes that crash, and what time rounds take: the subpath `equitopo/faults`. */

export { isAbsent } from "./absent.ts";
export { type AttackFamily, defineAttack, type Lie, type Scene } from "./attack/attack.ts";
export { type Attack, type AttackSpec, attacks, createAttack } from "./attack/registry.ts";
export type { Crash } from "./crash.ts";
export type { Cut } from "./cut.ts";
export { isLost } from "./drop.ts";
export { checkLatency, type Latency } from "./latency.ts";
export { honestRows, type LiarFaults, type Liars, liarsAmong } from "./liars.ts";
export { type Faults, Network, type Passage } from "./network.ts";
export { isStale, type SplitRound, StaleMixer, splitStale } from "./stale.ts";
export { thinRound } from "./thin.ts";
