/** What `equitopo/faults` exported before it was cut down to what programs need; outside semantic versioning. */

export { type AttackFamily, defineAttack } from "../faults/attack/attack.ts";
export * from "../faults/chance.ts";
export { isDropped as isLost } from "../faults/chance.ts";
export * from "../faults/index.ts";
export { checkLatency, type Latency } from "../faults/latency.ts";
export { honestRows, type LiarFaults } from "../faults/liars.ts";
export { type Faults, Network } from "../faults/network.ts";
export type { Crash, Cut } from "../faults/outages.ts";
export { StaleMixer, splitStale } from "../faults/stale.ts";
export { thinRound } from "../faults/thin.ts";
