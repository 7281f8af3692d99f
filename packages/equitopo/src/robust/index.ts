/** Mixing with nodes that may lie: the subpath `equitopo/robust`. */

export type { Defence } from "./defence.ts";
export { hearRound } from "./hear.ts";
export { createDefence, defences } from "./registry.ts";
