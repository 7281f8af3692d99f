/** Networks that drop messages, nodes that crash, and how long rounds take: the subpath `equitopo/faults`. */

export type { Lie, Scene } from "./attack/attack.ts";
export { type Attack, type AttackSpec, attacks, createAttack } from "./attack/registry.ts";
export { type Liars, liarsAmong } from "./liars.ts";
export type { Passage } from "./network.ts";
export type { SplitRound } from "./stale.ts";
