/** What `@equitopo/gpu` exported before it was cut down to what programs need; outside semantic versioning. */

export { openDevice } from "./device/adapter.ts";
export type { Program } from "./device/program.ts";
export * from "./index.ts";
export type { Spelling } from "./matrix/matrix.ts";
export { NUMBERS } from "./shader/pass.ts";
export * from "./train/engine.ts";
export { requireMixed, requireTrainable } from "./train/group.ts";
export type { Steps } from "./train/steps.ts";
