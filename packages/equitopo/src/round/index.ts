/** What one round does to rows, and who applies it: the subpath `equitopo/round`. */

export { applyRound } from "./apply.ts";
export type { Circulant } from "./circulant.ts";
export { type Distance, meanRow, squaredDistance } from "./distance.ts";
export { groupedRound } from "./grouped.ts";
export { type Groups, groupsOf, leaderOf, membersOf, sizeOf, sizesOf } from "./groups.ts";
export { kernelMixer } from "./kernel-mixer.ts";
export { messagesBetween, messagesOf } from "./messages.ts";
export { type AsyncMixer, type Mixer, plainMixer } from "./mixer.ts";
export { partsOf } from "./parts.ts";
export * from "./round.ts";
