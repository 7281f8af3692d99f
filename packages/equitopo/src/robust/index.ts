/** Mixing with nodes that may lie: the subpath `equitopo/robust`. */

export { type Defence, type DefenceFamily, type DefenceSpec, defineDefence } from "./defence.ts";
export { hearRound } from "./hear.ts";
export { createDefence, defences } from "./registry.ts";
