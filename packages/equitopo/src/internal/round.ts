/** What `equitopo/round` exported before it was cut down to what programs need; outside semantic versioning. */

export type { Circulant } from "../round/circulant.ts";
export * from "../round/distance.ts";
export { groupsOf, leaderOf, membersOf, sizeOf, sizesOf } from "../round/groups.ts";
export * from "../round/index.ts";
export { kernelMixer } from "../round/kernel-mixer.ts";
export { messagesBetween, messagesOf } from "../round/messages.ts";
export type { Mixer } from "../round/mixer.ts";
export * from "../round/round.ts";
