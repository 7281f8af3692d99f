/** What one round does to rows, and who applies it: the subpath `equitopo/round`. */

export { applyRound } from "./apply.ts";
export { groupedRound } from "./grouped.ts";
export type { Groups } from "./groups.ts";
export { type AsyncMixer, plainMixer } from "./mixer.ts";
export { partsOf } from "./parts.ts";
export { denseMatrix, forEachEdge, selfWeight } from "./round.ts";
